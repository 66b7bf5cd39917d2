import { AudioFormatError, finishWav } from '@speech-api/audio';
import type { SpeechEvent } from '@speech-api/streaming';
import { audioMediaTypes } from '@speech-api/types';
import { beginSound } from '../../embedded/one-sound.ts';
import { limitOf, silentWords } from '../../embedded/voice-limits.ts';
import { EventLog, type RecordedRequest } from '../evidence/evidence.ts';
import { type Explanation, explainError } from '../explain-error.ts';
import { find, nameKeys, saveFile } from '../page/page.ts';
import { Stage, type StagePage } from '../text/stage.ts';
import { Speaking, type SpeakingCall } from './speaking.ts';
import { Tape } from './tape.ts';

/** What the island's element shows as `data-state`. */
type RecitalState = 'idle' | 'asking' | 'speaking' | 'paused' | 'done' | 'stopped' | 'failed';

/** The element, its parts and its listeners. */
export interface RecitalOptions {
  readonly island: HTMLElement;
  /** The element in which the words of the text are shown. */
  readonly stage: HTMLElement;
  readonly scroller: HTMLElement;
  /** What the button says that begins. */
  readonly action: string;
  explain(explanation: Explanation | undefined): void;
  stateChanged(isBusy: boolean): void;
}

/** What is spoken and where its text is. */
export interface Performance {
  readonly call: SpeakingCall;
  readonly pages: readonly StagePage[];
  record(request: RecordedRequest): void;
}

/** Passed to listeners of `word-lit` on the island, each time another word is heard. */
export interface WordLit {
  /** Index of the word in the timeline. */
  readonly index: number;
  readonly text: string;
  /** Seconds of the audio at which the timeline says the word begins and ends. */
  readonly start: number;
  readonly end: number;
  /** Seconds of the audio that were heard when it was lit. */
  readonly position: number;
}

/** Audio that waits for so long to be heard has no device to sound on. */
const silenceMilliseconds = 6000;

/** Speaks what an island asks for, and shows it while it is heard: text, tape, events and status. */
export class Recital {
  readonly #options: RecitalOptions;
  readonly #stage: Stage;
  readonly #tape: Tape;
  readonly #events: EventLog;
  #speaking: Speaking | undefined;
  /** What was drawn last. */
  #began = 0;
  #isHeard = false;
  #segments: readonly { readonly start: number }[] | undefined;
  #duration = 0;
  #index = -1;

  constructor(options: RecitalOptions) {
    this.#options = options;
    const { island, stage, scroller } = options;
    const seek = (seconds: number) => void this.#seek(seconds);
    this.#stage = new Stage(stage, (index) => seek(this.#segments?.[index]?.start ?? 0), scroller);
    this.#tape = new Tape(island, seek);
    this.#events = new EventLog(island);
    nameKeys(island);
    find(island, '[data-stop]').addEventListener('click', () => void this.stop());
    find(island, '[data-pause]').addEventListener('click', () => void this.toggle());
    for (const button of island.querySelectorAll<HTMLButtonElement>('[data-save]'))
      button.addEventListener('click', () => void this.#save(button.dataset.save ?? ''));
    document.addEventListener('keydown', (event) => {
      if (event.key !== ' ' || !island.isConnected || isTaken(event.target)) return;
      if (this.#speaking === undefined) return;
      event.preventDefault();
      void this.toggle();
    });
    island.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.isBusy) void this.stop();
    });
  }

  get #state(): string {
    return this.#options.island.dataset.state ?? 'idle';
  }

  get isBusy(): boolean {
    return ['asking', 'speaking', 'paused'].includes(this.#state);
  }

  /** Whether the page itself spoke what was spoken last. */
  get isHere(): boolean {
    return this.#speaking?.isHere ?? false;
  }

  /** Seconds that have been heard. */
  get position(): number {
    return this.#speaking?.position ?? 0;
  }

  /** Forgets what was spoken. */
  reset(): void {
    this.dispose();
    this.#begin([]);
    this.#show('idle', 'Ready.');
  }

  dispose(): void {
    this.#speaking?.abort.abort();
    void this.#speaking?.player.close();
    this.#speaking = undefined;
  }

  /** Speaks; resolves when it was heard to its end or stopped. Begin it in a click or a key press. */
  async perform({ call, pages, record }: Performance): Promise<{ failed: boolean }> {
    this.dispose();
    beginSound(this.#pause);
    this.#options.explain(undefined);
    const speaking = new Speaking(call, (samples, rate) => {
      if (this.#speaking === speaking) this.#tape.add(samples, rate);
    });
    this.#speaking = speaking;
    this.#begin(pages);
    this.#show('asking', 'Asking the service …');
    this.#follow(speaking);
    const { signal } = speaking.abort;
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    let failed = false;
    try {
      const events = await speaking.ask(record);
      speaking.isAnswered = true;
      if (this.#speaking === speaking) this.#show('speaking', this.#who(speaking));
      await Promise.race([speaking.player.play(this.#audioOf(speaking, events)), aborted]);
    } catch (error) {
      failed = !signal.aborted;
      if (failed && this.#speaking === speaking) this.#failed(speaking, error);
    }
    if (speaking.pieces.length > 0) await Promise.race([speaking.player.drained, aborted]);
    if (this.#speaking !== speaking) return { failed };
    speaking.outcome = failed ? 'failed' : signal.aborted ? 'stopped' : 'done';
    this.#rest(speaking, speaking.outcome);
    return { failed };
  }

  /** Falls silent at once and gives the connection back. What had arrived can still be heard. */
  async stop(): Promise<void> {
    const speaking = this.#speaking;
    if (speaking === undefined || !this.isBusy) return;
    await speaking.player.pause();
    // `perform` reports the end of a first hearing.
    if (speaking.outcome === undefined) speaking.abort.abort();
    else this.#rest(speaking, 'stopped');
  }

  /** Pauses, goes on, or plays what was spoken once more, without another call. */
  async toggle(): Promise<void> {
    const speaking = this.#speaking;
    if (speaking === undefined || this.#state === 'asking' || speaking.player.decodedSeconds === 0) return;
    if (this.#state === 'speaking') await this.#pause();
    else if (this.#state === 'paused') {
      beginSound(this.#pause);
      this.#show('speaking', this.#who(speaking));
      this.#follow(speaking);
      await speaking.player.resume();
    } else await this.#seek(0);
  }

  readonly #pause = async (): Promise<void> => {
    const speaking = this.#speaking;
    if (speaking === undefined || this.#state !== 'speaking') return;
    await speaking.player.pause();
    if (this.#speaking === speaking && this.#state === 'speaking')
      this.#show('paused', `Paused at ${speaking.position.toFixed(1)} s.`);
  };

  async #seek(seconds: number): Promise<void> {
    const speaking = this.#speaking;
    if (speaking === undefined || speaking.player.decodedSeconds === 0) return;
    beginSound(this.#pause);
    speaking.player.seek(seconds);
    void speaking.player.drained.then(() => {
      const { outcome } = speaking;
      if (this.#speaking === speaking && outcome !== undefined) this.#rest(speaking, outcome);
    });
    if (!['asking', 'speaking'].includes(this.#state)) {
      this.#show('speaking', `Playing from ${seconds.toFixed(1)} s.`);
      this.#follow(speaking);
    }
    await speaking.player.resume();
  }

  async *#audioOf(
    speaking: Speaking,
    events: AsyncIterable<SpeechEvent>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const event of events) {
      if (speaking.isHere) speaking.timeline.apply(event);
      if (event.type !== 'audio-chunk') continue;
      if (this.#speaking === speaking) this.#events.add(event.audio.length, () => event.wire);
      speaking.pieces.push(event.audio);
      yield event.audio;
    }
  }

  #who({ isHere, call }: Speaking): string {
    return isHere
      ? `This page is speaking, without a server.${limitOf(call.request.text)}`
      : `Speaking: ${new URL(call.connection.baseUrl).host}.`;
  }

  #failed({ call, player, isAnswered, isThere }: Speaking, error: unknown): void {
    // What cannot be decoded is no stream that broke off.
    const isBadAudio = AudioFormatError.isInstance(error) || error instanceof DOMException;
    this.#options.explain(
      explainError(error, {
        baseUrl: call.connection.baseUrl,
        pageUrl: location.href,
        action: this.#options.action,
        answered: isAnswered,
        receivedSeconds: isBadAudio ? 0 : player.decodedSeconds,
        isThere,
      }),
    );
  }

  async #save(kind: string): Promise<void> {
    const speaking = this.#speaking;
    if (speaking === undefined) return;
    const { format, pieces, timeline } = speaking;
    if (kind === 'vtt') saveFile('speech.vtt', 'text/vtt', [timeline.toVtt()]);
    else if (kind === 'srt') saveFile('speech.srt', 'application/x-subrip', [timeline.toSrt()]);
    else {
      const bytes = new Uint8Array(await new Blob([...pieces]).arrayBuffer());
      // A streamed wav says nothing true about its length; a file does.
      const file = format === 'wav' ? finishWav(bytes) : bytes;
      saveFile(`speech.${format}`, audioMediaTypes[format], [file]);
    }
  }

  /** Shows the texts that are about to be spoken, and nothing of what was. */
  #begin(pages: readonly StagePage[]): void {
    this.#began = performance.now();
    this.#isHeard = false;
    this.#segments = undefined;
    this.#duration = 0;
    this.#index = -1;
    find(this.#options.island, '[data-first-sound]').textContent = '';
    this.#stage.show(pages);
    this.#tape.clear();
    this.#events.clear();
  }

  /** Draws what is heard, once a frame. */
  #follow(speaking: Speaking): void {
    const frame = () => {
      if (this.#speaking !== speaking || !['asking', 'speaking'].includes(this.#state)) return;
      this.#draw(speaking);
      this.#light(speaking, speaking.timeline.indexAt(speaking.position));
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  #draw({ timeline, position, player }: Speaking): void {
    const first = find(this.#options.island, '[data-first-sound]');
    const passed = performance.now() - this.#began;
    if (!this.#isHeard && position > 0) {
      this.#isHeard = true;
      first.textContent = `first sound after ${Math.round(Math.max(0, passed - position * 1000))} ms`;
    } else if (!this.#isHeard && player.decodedSeconds > 1 && passed > silenceMilliseconds)
      first.textContent = silentWords;
    const { segments } = timeline;
    const total = Math.max(timeline.duration, player.decodedSeconds, position);
    const changed = segments !== this.#segments;
    if (changed) this.#stage.place(segments);
    this.#tape.progress({ heard: position, total });
    if (changed || Math.abs(total - this.#duration) > 0.01) this.#tape.place(segments, total);
    this.#segments = segments;
    this.#duration = total;
  }

  #light({ timeline, position }: Speaking, index: number): void {
    if (index === this.#index) return;
    this.#index = index;
    this.#stage.light(index);
    this.#tape.light(index);
    const segment = timeline.segments[index];
    if (!segment) return;
    const { text, start, end } = segment;
    const detail: WordLit = { index, text, start, end, position };
    this.#options.island.dispatchEvent(new CustomEvent('word-lit', { detail }));
  }

  /** Shows the state at rest, when nothing is playing. */
  #rest(speaking: Speaking, state: 'done' | 'stopped' | 'failed'): void {
    const seconds = speaking.position.toFixed(1);
    const status = {
      failed: speaking.pieces.length === 0 ? 'Nothing was spoken.' : `Broke off after ${seconds} s.`,
      stopped: `Stopped after ${seconds} s.`,
      done: `Heard ${seconds} s, ${speaking.timeline.segments.length} words${speaking.isHere ? ', spoken by this page without a server' : ''}.`,
    };
    this.#draw(speaking);
    this.#show(state, status[state]);
    this.#light(speaking, -1);
    this.#tape.tell();
  }

  #show(state: RecitalState, status: string): void {
    const { island } = this.#options;
    island.dataset.state = state;
    find(island, '[data-status]').textContent = status;
    find<HTMLButtonElement>(island, '[data-stop]').disabled = !this.isBusy;
    const pause = find<HTMLButtonElement>(island, '[data-pause]');
    const isOver = state === 'done' || state === 'stopped' || state === 'failed';
    pause.textContent = isOver ? 'Play again' : state === 'paused' ? 'Go on' : 'Pause';
    const speaking = isOver ? this.#speaking : undefined;
    pause.disabled = isOver ? (speaking?.pieces.length ?? 0) === 0 : !this.isBusy || state === 'asking';
    for (const button of island.querySelectorAll<HTMLButtonElement>('[data-save]')) {
      const amount = button.dataset.save === 'audio' ? speaking?.pieces : speaking?.timeline.segments;
      button.disabled = amount === undefined || amount.length === 0;
    }
    this.#options.stateChanged(this.isBusy);
  }
}

/** Whether the space bar already means something where it was pressed. */
function isTaken(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, button, summary, a[href]') !== null
  );
}
