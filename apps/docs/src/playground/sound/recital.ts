import { finishWav } from '@speech-api/audio';
import { openPlayer, type Player } from '@speech-api/audio/player';
import { ConnectionError, createSpeechClient, type SpeechRequest } from '@speech-api/client';
import { type SpeechEvent, Timeline } from '@speech-api/streaming';
import { type AudioFormat, audioMediaTypes, type SynthesisModel } from '@speech-api/types';
import { beginSound } from '../../embedded/one-sound.ts';
import { limitOf } from '../../embedded/voice-limits.ts';
import { isAnswering, isLoopback } from '../connection/address.ts';
import { type Connection, clientOptions } from '../connection/fields.ts';
import type { Island } from '../page/island.ts';
import { find, saveFile } from '../page/page.ts';
import { Stage } from '../text/stage.ts';
import { Tape } from './tape.ts';

/** Seconds of audio gathered before the first sound: enough for the times of the first word to be there too. */
const startSeconds = 0.4;

/** A speech request and its destination. */
export interface SpeakingCall {
  readonly connection: Connection;
  readonly request: SpeechRequest & { readonly format: AudioFormat };
  readonly model: SynthesisModel;
  /** Address of the engine's files, for speaking in the page where no server answers. */
  readonly folder: string;
  /** No server is asked first: the page is not on this machine, and the reader has named no server. */
  readonly isHereFirst: boolean;
}

/** One call, what has arrived of it, and its sound. */
interface Speaking {
  readonly call: SpeakingCall;
  readonly abort: AbortController;
  readonly pieces: Uint8Array<ArrayBuffer>[];
  readonly timeline: Timeline;
  player: Player;
  /** The page itself speaks, without a server. */
  isHere: boolean;
  /** How it ended when it was heard for the first time; when it is played again, it ends in the same state. */
  outcome?: 'done' | 'stopped' | 'failed';
}

/** Speaks what an island asks for, and shows it while it is heard: text, tape and status. */
export class Recital {
  readonly #island: Island;
  readonly #stage: Stage;
  readonly #tape: Tape;
  #speaking: Speaking | undefined;

  constructor(island: Island) {
    this.#island = island;
    const seek = (seconds: number) => void this.#seek(seconds);
    const seekWord = (index: number) => seek(this.#speaking?.timeline.segments[index]?.start ?? 0);
    this.#stage = new Stage(
      find(island, '[data-words]'),
      seekWord,
      find<HTMLElement>(island, '[data-paper]'),
    );
    this.#tape = new Tape(island, seek);
    find(island, '[data-pause]').addEventListener('click', () => void this.#toggle());
    document.addEventListener('keydown', (event) => {
      if (event.key !== ' ' || isTaken(event.target) || this.#speaking === undefined) return;
      event.preventDefault();
      void this.#toggle();
    });
  }

  get #isBusy(): boolean {
    return ['asking', 'speaking', 'paused'].includes(this.#island.state);
  }

  get position(): number {
    return (this.#speaking?.player.playedMilliseconds ?? 0) / 1000;
  }

  /** Forgets what was spoken. */
  reset(): void {
    this.dispose();
    this.#clear('');
    this.#show('idle', 'Ready.');
  }

  dispose(): void {
    this.#speaking?.abort.abort();
    void this.#speaking?.player.close();
    this.#speaking = undefined;
  }

  /**
   * Speaks; resolves when it was heard to its end or stopped. Begin it in a click or a key press: browsers let nothing
   * else sound.
   */
  async perform(call: SpeakingCall): Promise<void> {
    const began = performance.now();
    this.dispose();
    beginSound(this.#pause);
    this.#island.explain(undefined);
    const { text, format, sample_rate: sampleRate } = call.request;
    const speaking: Speaking = {
      call,
      abort: new AbortController(),
      pieces: [],
      timeline: new Timeline(),
      player: this.#openPlayer(format, sampleRate),
      isHere: false,
    };
    this.#speaking = speaking;
    this.#clear(text);
    this.#show('asking', 'Asking the service …');
    this.#follow(speaking, began);
    const { signal } = speaking.abort;
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
    let isAnswered = false;
    const hear = async (): Promise<void> => {
      const events = await this.#ask(speaking);
      isAnswered = true;
      if (signal.aborted) return;
      this.#show('speaking', whoSpeaks(speaking));
      await speaking.player.play(audioOf(events, speaking));
      await speaking.player.drained;
    };
    try {
      await Promise.race([hear(), aborted]);
      speaking.outcome = 'done';
    } catch (error) {
      speaking.outcome = signal.aborted ? 'stopped' : 'failed';
      if (signal.aborted) return this.#rest(speaking);
      const receivedSeconds = speaking.player.decodedSeconds;
      await this.#island.explainError(error, { answered: isAnswered, receivedSeconds });
      // What had arrived is heard to its end.
      if (receivedSeconds > 0) await Promise.race([speaking.player.drained, aborted]).catch(() => undefined);
    }
    this.#rest(speaking);
  }

  /** Asks the server; where there is none on this machine, the page speaks. */
  async #ask(speaking: Speaking): Promise<AsyncIterable<SpeechEvent>> {
    const { connection, request, model, folder, isHereFirst } = speaking.call;
    const { signal } = speaking.abort;
    if (!isHereFirst) {
      try {
        const { speech } = createSpeechClient(clientOptions(connection));
        return await speech.streamWithTimestamps(request, { model, signal });
      } catch (error) {
        // A call to a real service is never replaced: its reader wants to know that it failed.
        if (!ConnectionError.isInstance(error) || !isLoopback(connection.baseUrl)) throw error;
        if (await isAnswering(connection.baseUrl)) throw error;
        signal.throwIfAborted();
      }
    }
    speaking.isHere = true;
    void speaking.player.close();
    speaking.player = this.#openPlayer('wav');
    const { text, reference_id: id, temperature, prosody } = request;
    const { eventsHere } = await import('../../embedded/events-here.ts');
    return eventsHere(text, folder, signal, {
      model,
      voices: id === undefined ? undefined : [id].flat(),
      temperature,
      speed: prosody?.speed,
      volume: prosody?.volume,
    });
  }

  #openPlayer(format: AudioFormat, sampleRate?: number | null): Player {
    const onSamples = (samples: Float32Array, rate: number) => this.#tape.add(samples, rate);
    return openPlayer(format, { startSeconds, seekable: true, onSamples, ...(sampleRate && { sampleRate }) });
  }

  /** Falls silent at once and gives the connection back. What had arrived can still be heard. */
  async stop(): Promise<void> {
    const speaking = this.#speaking;
    if (speaking === undefined || !this.#isBusy) return;
    await speaking.player.pause();
    // `perform` reports the end of a first hearing.
    if (speaking.outcome === undefined) speaking.abort.abort();
    else this.#rest(speaking, 'stopped');
  }

  /** Pauses, resumes, or plays what was spoken once more, without another call. */
  async #toggle(): Promise<void> {
    const { state } = this.#island;
    if (state === 'speaking') await this.#pause();
    else if (state === 'paused') await this.#resume();
    else if (state !== 'asking') await this.#seek(0);
  }

  readonly #pause = async (): Promise<void> => {
    if (this.#island.state !== 'speaking') return;
    await this.#speaking?.player.pause();
    this.#show('paused', `Paused at ${this.position.toFixed(1)} s.`);
  };

  async #resume(status?: string): Promise<void> {
    const speaking = this.#speaking;
    if (speaking === undefined) return;
    beginSound(this.#pause);
    if (this.#island.state !== 'speaking') {
      this.#show('speaking', status ?? whoSpeaks(speaking));
      this.#follow(speaking);
    }
    await speaking.player.resume();
  }

  async #seek(seconds: number): Promise<void> {
    const speaking = this.#speaking;
    if (speaking === undefined || speaking.player.decodedSeconds === 0) return;
    speaking.player.seek(seconds);
    void speaking.player.drained.then(() => {
      if (speaking.outcome !== undefined) this.#rest(speaking);
    });
    await this.#resume(`Playing from ${seconds.toFixed(1)} s.`);
  }

  async save(kind: string): Promise<void> {
    if (this.#speaking === undefined) return;
    const { call, isHere, pieces, timeline } = this.#speaking;
    if (kind === 'vtt') return saveFile('speech.vtt', 'text/vtt', [timeline.toVtt()]);
    if (kind === 'srt') return saveFile('speech.srt', 'application/x-subrip', [timeline.toSrt()]);
    const format = isHere ? 'wav' : call.request.format;
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    // A streamed wav says nothing true about its length; a file does.
    saveFile(`speech.${format}`, audioMediaTypes[format], [format === 'wav' ? finishWav(bytes) : bytes]);
  }

  /** Shows the text that is about to be spoken, and nothing of what was. */
  #clear(text: string): void {
    find(this.#island, '[data-first-sound]').textContent = '';
    this.#stage.show(text);
    this.#tape.clear();
  }

  /** Draws what is heard, once a frame. */
  #follow(speaking: Speaking, began?: number): void {
    requestAnimationFrame(() => {
      if (this.#speaking !== speaking || !['asking', 'speaking'].includes(this.#island.state)) return;
      const { position } = this;
      const isFirst = began !== undefined && position > 0;
      if (isFirst) {
        const waited = Math.round(performance.now() - began - position * 1000);
        find(this.#island, '[data-first-sound]').textContent = `first sound after ${waited} ms`;
      }
      this.#draw(speaking, speaking.timeline.indexAt(position));
      this.#follow(speaking, isFirst ? undefined : began);
    });
  }

  #draw({ timeline, player }: Speaking, lit: number): void {
    const { position } = this;
    const { segments } = timeline;
    this.#stage.draw(segments, lit);
    this.#tape.draw(segments, lit, position, Math.max(timeline.duration, player.decodedSeconds, position));
  }

  /** Shows the state at rest, when nothing is playing. */
  #rest(speaking: Speaking, state = speaking.outcome ?? 'stopped'): void {
    if (this.#speaking !== speaking) return;
    const seconds = this.position.toFixed(1);
    const status = {
      failed: speaking.pieces.length === 0 ? 'Nothing was spoken.' : `Broke off after ${seconds} s.`,
      stopped: `Stopped after ${seconds} s.`,
      done: `Heard ${seconds} s, ${speaking.timeline.segments.length} words${speaking.isHere ? ', spoken by this page without a server' : ''}.`,
    };
    this.#draw(speaking, -1);
    this.#show(state, status[state]);
    this.#tape.tell();
  }

  #show(state: string, status: string): void {
    const island = this.#island;
    island.show(state, status);
    find<HTMLButtonElement>(island, '[data-stop]').disabled = !this.#isBusy;
    find<HTMLTextAreaElement>(island, 'textarea').readOnly = this.#isBusy;
    const pause = find<HTMLButtonElement>(island, '[data-pause]');
    const finished = this.#isBusy || state === 'idle' ? undefined : this.#speaking;
    pause.textContent = finished ? 'Play again' : state === 'paused' ? 'Resume' : 'Pause';
    pause.disabled = finished ? finished.pieces.length === 0 : !this.#isBusy || state === 'asking';
    for (const button of island.querySelectorAll<HTMLButtonElement>('[data-save]')) {
      const content = button.dataset.save === 'audio' ? finished?.pieces : finished?.timeline.segments;
      button.disabled = content === undefined || content.length === 0;
    }
  }
}

/** Keeps what arrives, and gives the audio of it to the player. */
async function* audioOf(
  events: AsyncIterable<SpeechEvent>,
  { timeline, pieces }: Speaking,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const event of events) {
    timeline.apply(event);
    if (event.type !== 'audio-chunk') continue;
    pieces.push(event.audio);
    yield event.audio;
  }
}

function whoSpeaks({ isHere, call }: Speaking): string {
  return isHere
    ? `This page is speaking, without a server.${limitOf(call.request.text)}`
    : `Speaking: ${new URL(call.connection.baseUrl).host}.`;
}

/** Whether the space bar already has a function where it was pressed. */
function isTaken(target: EventTarget | null): boolean {
  const controls = 'input, textarea, select, button, summary, a[href]';
  return target instanceof Element && target.closest(controls) !== null;
}
