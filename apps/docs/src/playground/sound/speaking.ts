import { createPlayer, type DecodedSamples, type SpeechPlayer } from '@speech-api/audio/play';
import { type SpeechEvent, Timeline } from '@speech-api/streaming';
import type { AudioFormat, SynthesisModel, SynthesisRequest } from '@speech-api/types';
import type { Connection } from '../connection/connection.ts';
import { openClient } from '../connection/open-client.ts';
import type { RecordedRequest } from '../evidence/recorded-request.ts';

/** Seconds of audio gathered before the first sound: enough for the times of the first word to be there too. */
export const startSeconds = 0.4;

/** What to speak, and who speaks it. */
export interface SpeakingCall {
  readonly connection: Connection;
  readonly request: SynthesisRequest;
  readonly model: SynthesisModel;
  readonly format: AudioFormat;
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
  readonly #player: SpeechPlayer;
  readonly #listener: SpeakingListener;
  readonly #abort = new AbortController();
  readonly #halted: Promise<void>;
  #halt: () => void = () => {};
  #timeline = new Timeline();
  #isAnswered = false;

  /** Call it from a click or a key press: browsers let nothing else begin to sound. */
  constructor(call: SpeakingCall, listener: SpeakingListener) {
    this.call = call;
    this.#listener = listener;
    this.#halted = new Promise((resolve) => {
      this.#halt = resolve;
    });
    this.#player = createPlayer({
      format: call.format,
      startSeconds,
      seekable: true,
      onSamples: (samples) => listener.decoded(samples),
    });
    this.#player.addEventListener('ended', () => listener.ended());
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

  get stopped(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Resolves when all of it was heard once or it was stopped. Never rejects: failures are told to the listener. */
  async run(): Promise<void> {
    try {
      await this.#receive();
    } catch (error) {
      const from = this.#player.state === 'failed' ? 'player' : 'service';
      if (!this.stopped) this.#listener.failed({ from, error });
    }
    try {
      if (this.pieces.length === 0) return await this.#player.stop();
      await this.#player.end();
      await Promise.race([this.#player.finished, this.#halted]);
    } catch (error) {
      if (!this.stopped) this.#listener.failed({ from: 'player', error });
    }
  }

  /** Falls silent at once and gives the connection back. What had arrived can still be sought in. */
  async stop(): Promise<void> {
    this.#abort.abort();
    this.#halt();
    await this.#player.pause();
  }

  /** Goes on from another moment of what has arrived. */
  async seek(seconds: number): Promise<void> {
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
    const { connection, request, model } = this.call;
    const client = openClient(connection, (sent) => this.#listener.record(sent));
    const { signal } = this.#abort;
    const stream = await client.speech.streamWithTimestamps(request, { model, signal });
    this.#timeline = stream.timeline;
    this.#isAnswered = true;
    this.#listener.answered();
    for await (const event of stream) {
      this.#listener.arrived(event);
      if (event.type !== 'audio-chunk') continue;
      this.pieces.push(event.audio);
      // A player that is paused takes nothing in any more, and a stop must not wait for it.
      await Promise.race([this.#player.write(event.audio), this.#halted]);
      if (this.stopped) return;
    }
  }
}
