import { finishWav } from '@speech-api/audio';
import { openPlayer, type Player } from '@speech-api/audio/player';
import { ConnectionError, createSpeechClient, type SpeechRequest } from '@speech-api/client';
import { type SpeechEvent, Timeline } from '@speech-api/streaming';
import type { AudioFormat, SynthesisModel } from '@speech-api/types';
import { beginSound } from '../../embedded/one-sound.ts';
import { limitOf } from '../../embedded/voice-limits.ts';
import { isAnswering, isLoopback } from '../connection/address.ts';
import { type Connection, clientOptions } from '../connection/fields.ts';
import type { Island } from '../page/island.ts';
import { find, loadPart, saveFile } from '../page/page.ts';
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

/** One call: how it is asked, what has arrived of it, and its sound. */
class Utterance {
  readonly call: SpeakingCall;
  readonly pieces: Uint8Array<ArrayBuffer>[] = [];
  readonly timeline = new Timeline();
  /** The page itself speaks, without a server. */
  isHere = false;
  /** How it ended when it was heard for the first time; when it is played again, it ends in the same state. */
  outcome?: 'done' | 'stopped' | 'failed';
  readonly abort = new AbortController();
  readonly #onSamples: (samples: Float32Array, rate: number) => void;
  player: Player;

  /** Opens the player, so make it in a click or a key press: browsers let nothing else sound. */
  constructor(call: SpeakingCall, onSamples: (samples: Float32Array, rate: number) => void) {
    this.call = call;
    this.#onSamples = onSamples;
    const { format, sample_rate: sampleRate } = call.request;
    this.player = this.#openPlayer(format, sampleRate);
  }

  /** Resolves when all of it was heard; rejects when it fails, and at once when it is cancelled. */
  async hear(answered: () => void): Promise<void> {
    const heard = async (): Promise<void> => {
      const events = await this.#ask();
      if (this.abort.signal.aborted) return;
      answered();
      await this.player.play(this.#audioOf(events));
      await this.player.drained;
    };
    await Promise.race([heard(), this.#cancelled()]);
  }

  /** Asks the server; where there is none on this machine, the page speaks. */
  async #ask(): Promise<AsyncIterable<SpeechEvent>> {
    const { connection, request, model, folder, isHereFirst } = this.call;
    const { signal } = this.abort;
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
    this.isHere = true;
    void this.player.close();
    this.player = this.#openPlayer('wav');
    const { text, reference_id: id, temperature, prosody } = request;
    const { eventsHere } = await loadPart(import('../../embedded/events-here.ts'));
    return eventsHere(text, folder, signal, {
      model,
      voices: id === undefined ? undefined : [id].flat(),
      temperature,
      speed: prosody?.speed,
      volume: prosody?.volume,
    });
  }

  #openPlayer(format: AudioFormat, sampleRate?: number | null): Player {
    const onSamples = this.#onSamples;
    return openPlayer(format, { startSeconds, seekable: true, onSamples, ...(sampleRate && { sampleRate }) });
  }

  /** Keeps what arrives, and gives the audio of it to the player. */
  async *#audioOf(events: AsyncIterable<SpeechEvent>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const event of events) {
      this.timeline.apply(event);
      if (event.type !== 'audio-chunk') continue;
      this.pieces.push(event.audio);
      yield event.audio;
    }
  }

  /** After a failure: what had arrived is heard to its end, unless it is cancelled. */
  async hearRest(): Promise<void> {
    if (this.player.decodedSeconds > 0)
      await Promise.race([this.player.drained, this.#cancelled()]).catch(() => undefined);
  }

  #cancelled(): Promise<never> {
    const { signal } = this.abort;
    return new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  }

  close(): void {
    this.abort.abort();
    void this.player.close();
  }

  async save(kind: string): Promise<void> {
    const { call, isHere, pieces, timeline } = this;
    if (kind === 'vtt') return saveFile('speech.vtt', 'text/vtt', [timeline.toVtt()]);
    if (kind === 'srt') return saveFile('speech.srt', 'application/x-subrip', [timeline.toSrt()]);
    const format = isHere ? 'wav' : call.request.format;
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    // A streamed wav says nothing true about its length; a file does.
    // Firefox would give a file of audio/ogg another ending.
    const ending = format === 'opus' ? 'ogg' : format;
    saveFile(`speech.${ending}`, 'application/octet-stream', [format === 'wav' ? finishWav(bytes) : bytes]);
  }
}

/** Speaks what an island asks for, and shows it while it is heard: text, tape and status. */
export class Recital {
  readonly #island: Island;
  readonly #stage: Stage;
  readonly #tape: Tape;
  #utterance: Utterance | undefined;

  constructor(island: Island) {
    this.#island = island;
    const seek = (seconds: number) => this.#seek(seconds);
    const seekWord = (index: number) => seek(this.#utterance?.timeline.segments[index]?.start ?? 0);
    this.#stage = new Stage(
      find(island, '[data-words]'),
      seekWord,
      find<HTMLElement>(island, '[data-paper]'),
    );
    this.#tape = new Tape(island, seek);
    find(island, '[data-pause]').addEventListener('click', () => void this.#toggle());
    for (const button of island.querySelectorAll<HTMLElement>('[data-save]'))
      button.addEventListener('click', () => void this.#utterance?.save(button.dataset.save ?? ''));
    document.addEventListener('keydown', (event) => {
      if (event.key !== ' ' || isTaken(event.target) || this.#utterance === undefined) return;
      event.preventDefault();
      void this.#toggle();
    });
  }

  /** Seconds that were heard. */
  get position(): number {
    return (this.#utterance?.player.playedMilliseconds ?? 0) / 1000;
  }

  /** Speaks; resolves when it was heard to its end or stopped. Begin it in a click or a key press. */
  async perform(call: SpeakingCall): Promise<void> {
    const began = performance.now();
    this.#utterance?.close();
    beginSound(this.#pause);
    this.#island.explain(undefined);
    const utterance = new Utterance(call, (samples, rate) => this.#tape.add(samples, rate));
    this.#utterance = utterance;
    this.#clear(call.request.text);
    this.#show('asking', 'Asking the service …');
    this.#follow(utterance, began);
    let isAnswered = false;
    try {
      await utterance.hear(() => {
        isAnswered = true;
        this.#show('speaking', whoSpeaks(utterance));
      });
      utterance.outcome = 'done';
    } catch (error) {
      utterance.outcome = utterance.abort.signal.aborted ? 'stopped' : 'failed';
      if (!utterance.abort.signal.aborted) {
        const receivedSeconds = utterance.player.decodedSeconds;
        await this.#island.explainError(error, { answered: isAnswered, receivedSeconds });
        await utterance.hearRest();
      }
    }
    this.#rest(utterance);
  }

  get #isBusy(): boolean {
    return ['asking', 'speaking', 'paused'].includes(this.#island.state);
  }

  /** Falls silent at once and gives the connection back. What had arrived can still be heard. */
  async stop(): Promise<void> {
    const utterance = this.#utterance;
    if (utterance === undefined || !this.#isBusy) return;
    await utterance.player.pause();
    // `perform` reports the end of a first hearing.
    if (utterance.outcome === undefined) utterance.abort.abort();
    else this.#rest(utterance, 'stopped');
  }

  /** Pauses, resumes, or plays what was spoken once more, without another call. */
  async #toggle(): Promise<void> {
    const { state } = this.#island;
    if (state === 'speaking') await this.#pause();
    else if (state === 'paused') await this.#resume();
    else if (state !== 'asking') this.#seek(0);
  }

  readonly #pause = async (): Promise<void> => {
    if (this.#island.state !== 'speaking') return;
    await this.#utterance?.player.pause();
    this.#show('paused', `Paused at ${this.position.toFixed(1)} s.`);
  };

  async #resume(status?: string): Promise<void> {
    const utterance = this.#utterance;
    if (utterance === undefined) return;
    beginSound(this.#pause);
    if (this.#island.state !== 'speaking') {
      this.#show('speaking', status ?? whoSpeaks(utterance));
      this.#follow(utterance);
    }
    await utterance.player.resume();
  }

  #seek(seconds: number): void {
    const utterance = this.#utterance;
    if (utterance === undefined || utterance.player.decodedSeconds === 0) return;
    utterance.player.seek(seconds);
    void utterance.player.drained.then(() => {
      if (utterance.outcome !== undefined) this.#rest(utterance);
    });
    void this.#resume(`Playing from ${seconds.toFixed(1)} s.`);
  }

  /** Forgets what was spoken. */
  reset(): void {
    this.#utterance?.close();
    this.#utterance = undefined;
    this.#clear('');
    this.#show('idle', 'Ready.');
  }

  /** Shows the text that is about to be spoken, and nothing of what was. */
  #clear(text: string): void {
    find(this.#island, '[data-first-sound]').textContent = '';
    this.#stage.show(text);
    this.#tape.clear();
  }

  /** Draws what is heard, once a frame, and says once how soon it was heard. */
  #follow(utterance: Utterance, began?: number): void {
    requestAnimationFrame(() => {
      if (this.#utterance !== utterance || !['asking', 'speaking'].includes(this.#island.state)) return;
      const { position } = this;
      const isFirst = began !== undefined && position > 0;
      if (isFirst) {
        const waited = Math.round(performance.now() - began - position * 1000);
        find(this.#island, '[data-first-sound]').textContent = `first sound after ${waited} ms`;
      }
      this.#draw(utterance, utterance.timeline.indexAt(position));
      this.#follow(utterance, isFirst ? undefined : began);
    });
  }

  #draw({ timeline, player }: Utterance, lit: number): void {
    const { position } = this;
    const { segments } = timeline;
    this.#stage.draw(segments, lit);
    this.#tape.draw(segments, lit, position, Math.max(timeline.duration, player.decodedSeconds, position));
  }

  /** Shows the state at rest, when nothing is playing. */
  #rest(utterance: Utterance, state = utterance.outcome ?? 'stopped'): void {
    if (this.#utterance !== utterance) return;
    const seconds = this.position.toFixed(1);
    const status = {
      failed: utterance.pieces.length === 0 ? 'Nothing was spoken.' : `Broke off after ${seconds} s.`,
      stopped: `Stopped after ${seconds} s.`,
      done: `Heard ${seconds} s, ${utterance.timeline.segments.length} words${utterance.isHere ? ', spoken by this page without a server' : ''}.`,
    };
    this.#draw(utterance, -1);
    this.#show(state, status[state]);
    this.#tape.tell();
  }

  #show(state: string, status: string): void {
    const island = this.#island;
    island.show(state, status);
    find<HTMLButtonElement>(island, '[data-stop]').disabled = !this.#isBusy;
    find<HTMLTextAreaElement>(island, 'textarea').readOnly = this.#isBusy;
    const pause = find<HTMLButtonElement>(island, '[data-pause]');
    const finished = this.#isBusy || state === 'idle' ? undefined : this.#utterance;
    pause.textContent = finished ? 'Play again' : state === 'paused' ? 'Resume' : 'Pause';
    pause.disabled = finished ? finished.pieces.length === 0 : !this.#isBusy || state === 'asking';
    for (const button of island.querySelectorAll<HTMLButtonElement>('[data-save]')) {
      const content = button.dataset.save === 'audio' ? finished?.pieces : finished?.timeline.segments;
      button.disabled = content === undefined || content.length === 0;
    }
  }
}

function whoSpeaks({ isHere, call }: Utterance): string {
  return isHere
    ? `This page is speaking, without a server.${limitOf(call.request.text)}`
    : `Speaking: ${new URL(call.connection.baseUrl).host}.`;
}

/** Whether the space bar already has a function where it was pressed. */
function isTaken(target: EventTarget | null): boolean {
  const controls = 'input, textarea, select, button, summary, a[href]';
  return target instanceof Element && target.closest(controls) !== null;
}
