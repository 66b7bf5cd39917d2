import { finishWav } from '@speech-api/audio';
import { createPlayer, type DecodedSamples, type SpeechPlayer } from '@speech-api/audio/play';
import { ConnectionError } from '@speech-api/client';
import { type SpeechEvent, Timeline } from '@speech-api/streaming';
import {
  type AudioFormat,
  audioMediaTypes,
  type SynthesisModel,
  type SynthesisRequest,
} from '@speech-api/types';
import type { HereSettings } from '../../embedded/speak-here.ts';
import { isAnswering, isLoopback } from '../connection/address.ts';
import { openClient } from '../connection/connection.ts';
import type { Connection } from '../connection/fields.ts';
import type { RecordedRequest } from '../evidence/evidence.ts';
import { writeClient } from '../evidence/write-code.ts';
import { indent, literal, writeValue } from '../evidence/write-value.ts';
import { saveFile } from '../page/page.ts';

/** Seconds of audio gathered before the first sound: enough for the times of the first word to be there too. */
export const startSeconds = 0.4;

/** What to speak, and who speaks it. */
export interface SpeakingCall {
  readonly connection: Connection;
  readonly request: SynthesisRequest;
  readonly model: SynthesisModel;
  readonly format: AudioFormat;
  /** How this page speaks the text itself where no server answers; left out where it cannot, as for several voices. */
  readonly here?: SpeakingHere;
}

/** What the page needs to speak by itself. */
export interface SpeakingHere {
  readonly text: string;
  /** Address of the engine's files. */
  readonly folder: string;
  readonly settings: HereSettings;
  /** No server is asked first: the page is not on this machine, and the reader has named no server. */
  readonly isFirst: boolean;
}

/** Where an error came from: the answer of the service, or the playing of what had arrived. */
export interface Failure {
  readonly from: 'service' | 'player';
  readonly error: unknown;
}

/** Told while it runs. */
export interface SpeakingListener {
  /** The request, before it is sent. */
  record(request: RecordedRequest): void;
  /** The answer begins. */
  answered(): void;
  /** An event of the stream, the timeline filled with it. */
  arrived(event: SpeechEvent): void;
  /** Audio, decoded. */
  decoded(samples: DecodedSamples): void;
  /** Something failed, just now; what had arrived still plays. */
  failed(failure: Failure): void;
  /** All that there is was heard, for the first time or again. */
  ended(): void;
}

/**
 * One call: asks, plays while the answer arrives, and keeps the audio for hearing it again and for saving.
 * The sound is made by the browser's audio clock; {@link Speaking.position} tells what is heard right now.
 */
export class Speaking {
  readonly call: SpeakingCall;
  /** The audio that has arrived, in order. */
  readonly pieces: Uint8Array<ArrayBuffer>[] = [];
  #player: SpeechPlayer;
  readonly #listener: SpeakingListener;
  readonly #abort = new AbortController();
  readonly #halted: Promise<void>;
  #halt: () => void = () => {};
  #timeline = new Timeline();
  #isAnswered = false;
  #isThere = false;
  #isHere = false;
  #isPaused = false;

  /** Call it from a click or a key press: browsers let nothing else begin to sound. */
  constructor(call: SpeakingCall, listener: SpeakingListener) {
    this.call = call;
    this.#listener = listener;
    this.#halted = new Promise((resolve) => {
      this.#halt = resolve;
    });
    this.#isHere = call.here?.isFirst === true;
    this.#player = this.#createPlayer();
  }

  #createPlayer(): SpeechPlayer {
    const player = createPlayer({
      format: this.format,
      startSeconds,
      seekable: true,
      onSamples: (samples) => this.#listener.decoded(samples),
    });
    player.addEventListener('ended', () => this.#listener.ended());
    return player;
  }

  /** Whether the page itself speaks, without a server. */
  get isHere(): boolean {
    return this.#isHere;
  }

  /** Of the audio that arrives. */
  get format(): AudioFormat {
    return this.#isHere ? 'wav' : this.call.format;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get timeline(): Timeline {
    return this.#timeline;
  }

  /** Seconds that have been heard. */
  get position(): number {
    return this.#player.currentTime;
  }

  /** Seconds that have arrived and are decoded. */
  get receivedSeconds(): number {
    return this.#player.decodedSeconds;
  }

  /** The answer has begun. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** No answer came, although something answers at the address. */
  get isThere(): boolean {
    return this.#isThere;
  }

  /** Whether there is audio that can be heard from another moment. */
  get isSeekable(): boolean {
    const { state } = this.#player;
    return this.receivedSeconds > 0 && state !== 'failed' && state !== 'stopped';
  }

  get stopped(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Resolves when all of it was heard once or it was stopped. Never rejects: the listener gets the failures. */
  async run(): Promise<void> {
    let failure: Failure | undefined;
    try {
      await this.#receive();
    } catch (error) {
      failure = { from: this.#player.state === 'failed' ? 'player' : 'service', error };
    }
    try {
      if (this.pieces.length === 0) await this.#player.stop();
      else await this.#player.end();
    } catch (error) {
      failure ??= { from: 'player', error };
    }
    // Told when all that arrived is decoded: before, a stream that broke off could seem to have brought nothing.
    if (failure !== undefined && !this.stopped) this.#listener.failed(failure);
    await Promise.race([this.#player.finished.catch(() => undefined), this.#halted]);
  }

  /** Falls silent at once and gives the connection back. What had arrived can still be sought in. */
  async stop(): Promise<void> {
    this.#abort.abort();
    this.#halt();
    await this.#player.pause();
  }

  /** Holds the sound; what arrives meanwhile waits. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    await this.#player.pause();
  }

  async resume(): Promise<void> {
    this.#isPaused = false;
    await this.#player.resume();
  }

  /** Goes on from another moment of what has arrived. */
  async seek(seconds: number): Promise<void> {
    this.#isPaused = false;
    await this.#player.seek(seconds);
    await this.#player.resume();
  }

  /** The end of it: nothing is kept. */
  async dispose(): Promise<void> {
    this.#abort.abort();
    this.#halt();
    await this.#player.stop();
  }

  async #receive(): Promise<void> {
    const events = await this.#ask();
    this.#isAnswered = true;
    this.#listener.answered();
    for await (const event of events) {
      if (this.#isHere) this.#timeline.apply(event);
      this.#listener.arrived(event);
      if (event.type !== 'audio-chunk') continue;
      this.pieces.push(event.audio);
      // A player that is paused takes nothing in any more, and a stop must not wait for it.
      await Promise.race([this.#player.write(event.audio), this.#halted]);
      if (this.stopped) return;
    }
  }

  /** Asks the server; where none is on this machine and the page can speak, the page does. */
  async #ask(): Promise<AsyncIterable<SpeechEvent>> {
    const { connection, request, model, here } = this.call;
    const { signal } = this.#abort;
    if (here?.isFirst === true) return this.#speakHere(here, signal);
    const client = openClient(connection, (sent) => this.#listener.record(sent));
    try {
      const stream = await client.speech.streamWithTimestamps(request, { model, signal });
      this.#timeline = stream.timeline;
      return stream;
    } catch (error) {
      // A call to a real service is never replaced: its reader wants to know that it failed.
      if (!ConnectionError.isInstance(error) || signal.aborted) throw error;
      this.#isThere = await isAnswering(connection.baseUrl);
      if (here === undefined || this.#isThere || !isLoopback(connection.baseUrl)) throw error;
      this.#isHere = true;
      await this.#player.stop();
      this.#player = this.#createPlayer();
      return this.#speakHere(here, signal);
    }
  }

  async #speakHere(
    { text, folder, settings }: SpeakingHere,
    signal: AbortSignal,
  ): Promise<AsyncIterable<SpeechEvent>> {
    const { eventsHere } = await import('../../embedded/events-here.ts');
    return eventsHere(text, folder, signal, settings);
  }
}

/** Hands the audio that arrived to the reader as a file. */
export async function saveAudio(format: AudioFormat, pieces: readonly BlobPart[]): Promise<void> {
  const bytes = new Uint8Array(await new Blob([...pieces]).arrayBuffer());
  // A streamed wav says nothing true about its length; a file does.
  const file = format === 'wav' ? finishWav(bytes) : bytes;
  saveFile(`speech.${format}`, audioMediaTypes[format], [file]);
}

/** Hands the captions to the reader as a file. */
export function saveCaptions(kind: 'vtt' | 'srt', timeline: Pick<Timeline, 'toVtt' | 'toSrt'>): void {
  if (kind === 'vtt') saveFile('speech.vtt', 'text/vtt', [timeline.toVtt()]);
  else saveFile('speech.srt', 'application/x-subrip', [timeline.toSrt()]);
}

/** The program that does what the page does with a call: one voice or several. */
export function writeSpeaking({ connection, request, model, format }: SpeakingCall): string {
  return `import { createPlayer } from '@speech-api/audio/play';
import { createSpeechClient } from '@speech-api/client';

${writeClient(connection satisfies Connection)}

const player = createPlayer({
  format: ${literal(format)},
  startSeconds: ${startSeconds},
  seekable: true,
});
const stream = await client.speech.streamWithTimestamps(
  ${indent(writeValue(request), 2)},
  { model: ${literal(model)} },
);

const lamp = setInterval(() => {
  const word = stream.timeline.wordAt(player.currentTime);
  document.title = word?.text ?? '';
}, 30);

for await (const event of stream) {
  if (event.type === 'audio-chunk') await player.write(event.audio);
}
await player.end();
await player.finished;
clearInterval(lamp);

// Hear it again from its third word, and save what was said.
await player.seek(stream.timeline.segments[2]?.start ?? 0);
console.log(stream.timeline.toVtt(), stream.timeline.toSrt());`;
}
