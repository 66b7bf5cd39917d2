import { limitOf } from '../../embedded/voice-limits.ts';
import type { RecordedRequest } from '../evidence/evidence.ts';
import type { Explanation } from '../explain-error.ts';
import { explainError } from '../explain-error.ts';
import { find, nameKeys } from '../page/page.ts';
import type { StagePage } from '../text/stage.ts';
import { RecitalView } from './recital-view.ts';
import { type Failure, Speaking, type SpeakingCall, saveAudio, saveCaptions } from './speaking.ts';

/** What the island's element shows as `data-state`. */
export type RecitalState = 'idle' | 'asking' | 'speaking' | 'paused' | 'done' | 'stopped' | 'failed';

/** The element and its parts, and who wants to know. */
export interface RecitalOptions {
  readonly island: HTMLElement;
  /** The element in which the words of the text are shown. */
  readonly stage: HTMLElement;
  readonly scroller?: HTMLElement;
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

/** Speaks what an island asks for: state, status, stop, seeking and saving, the same for one voice and for several. */
export class Recital {
  readonly #options: RecitalOptions;
  readonly #view: RecitalView;
  #speaking: Speaking | undefined;
  /** How the call ended; what is heard again afterwards ends in the same state. */
  #outcome: RecitalState | undefined;

  constructor(options: RecitalOptions) {
    this.#options = options;
    const { island, stage, scroller } = options;
    this.#view = new RecitalView(island, stage, scroller, {
      seek: (seconds) => void this.#seek(seconds),
      lit: (detail) => island.dispatchEvent(new CustomEvent('word-lit', { detail })),
    });
    nameKeys(island);
    find(island, '[data-stop]').addEventListener('click', () => void this.stop());
    for (const button of island.querySelectorAll<HTMLButtonElement>('[data-save]')) {
      button.addEventListener('click', () => {
        const speaking = this.#speaking;
        if (speaking === undefined) return;
        if (button.dataset.save === 'audio') void saveAudio(speaking.format, speaking.pieces);
        else saveCaptions(button.dataset.save === 'srt' ? 'srt' : 'vtt', speaking.timeline);
      });
    }
    find(island, '[data-pause]').addEventListener('click', () => void this.toggle());
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

  get #isHeard(): boolean {
    const { state } = this.#options.island.dataset;
    return state === 'asking' || state === 'speaking';
  }

  get isBusy(): boolean {
    const { state } = this.#options.island.dataset;
    return state === 'asking' || state === 'speaking' || state === 'paused';
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
    void this.#speaking?.dispose();
    this.#speaking = undefined;
    this.#view.begin([]);
    this.#show('idle', 'Ready.');
  }

  /** Speaks; resolves when it was heard to its end or stopped. Begin it in a click or a key press. */
  async perform({ call, pages, record }: Performance): Promise<{ failed: boolean }> {
    void this.#speaking?.dispose();
    this.#options.explain(undefined);
    this.#outcome = undefined;
    let failed = false;
    const isCurrent = (): boolean => this.#speaking === speaking;
    const speaking: Speaking = new Speaking(call, {
      record,
      answered: () => isCurrent() && this.#show('speaking', this.#who(speaking)),
      arrived: (event) => isCurrent() && this.#view.list(event),
      decoded: (samples) => isCurrent() && this.#view.add(samples),
      failed: (failure) => {
        failed = true;
        if (isCurrent()) this.#failed(speaking, failure);
      },
      ended: () => {
        if (isCurrent() && this.#outcome !== undefined) this.#rest(speaking, this.#outcome);
      },
    });
    this.#speaking = speaking;
    this.#view.begin(pages);
    this.#show('asking', 'Asking the service …');
    this.#follow(speaking);
    await speaking.run();
    if (!isCurrent()) return { failed };
    this.#outcome = failed ? 'failed' : speaking.stopped ? 'stopped' : 'done';
    this.#rest(speaking, this.#outcome);
    return { failed };
  }

  async stop(): Promise<void> {
    const speaking = this.#speaking;
    if (speaking === undefined || !this.isBusy) return;
    await speaking.stop();
    // `perform` reports the end of a first hearing.
    if (this.#outcome !== undefined && this.#speaking === speaking) this.#rest(speaking, 'stopped');
  }

  /** Pauses, goes on, or plays what was spoken once more, without another call. */
  async toggle(): Promise<void> {
    const speaking = this.#speaking;
    const { state } = this.#options.island.dataset;
    if (speaking === undefined || state === 'asking' || !speaking.isSeekable) return;
    if (state === 'speaking') {
      await speaking.pause();
      if (this.#speaking === speaking && speaking.isPaused && this.isBusy)
        this.#show('paused', `Paused at ${speaking.position.toFixed(1)} s.`);
    } else if (state === 'paused') {
      this.#show('speaking', this.#who(speaking));
      this.#follow(speaking);
      await speaking.resume();
    } else await this.#seek(0);
  }

  /** Who is heard. */
  #who(speaking: Speaking): string {
    if (speaking.isHere)
      return `This page is speaking, without a server.${limitOf(speaking.call.request.text)}`;
    return `Speaking: ${new URL(speaking.call.connection.baseUrl).host}.`;
  }

  dispose(): void {
    void this.#speaking?.dispose();
  }

  async #seek(seconds: number): Promise<void> {
    const speaking = this.#speaking;
    if (!speaking?.isSeekable) return;
    await speaking.seek(seconds);
    if (this.#speaking !== speaking || this.#isHeard) return;
    this.#show('speaking', `Playing from ${seconds.toFixed(1)} s.`);
    this.#follow(speaking);
  }

  #follow(speaking: Speaking): void {
    this.#view.follow(speaking, () => this.#speaking === speaking && this.#isHeard);
  }

  #failed(speaking: Speaking, { from, error }: Failure): void {
    const { connection } = speaking.call;
    const receivedSeconds = from === 'service' ? speaking.receivedSeconds : 0;
    this.#options.explain(
      explainError(error, {
        baseUrl: connection.baseUrl,
        pageUrl: location.href,
        action: this.#options.action,
        answered: speaking.isAnswered,
        receivedSeconds,
        isThere: speaking.isThere,
      }),
    );
  }

  /** Shows the state at rest, when nothing is playing. */
  #rest(speaking: Speaking, state: RecitalState): void {
    const seconds = speaking.position.toFixed(1);
    const isEmpty = speaking.pieces.length === 0;
    const status: Partial<Record<RecitalState, string>> = {
      failed: isEmpty ? 'Nothing was spoken.' : `Broke off after ${seconds} s.`,
      stopped: `Stopped after ${seconds} s.`,
      done: `Heard ${seconds} s, ${speaking.timeline.segments.length} words${speaking.isHere ? ', spoken by this page without a server' : ''}.`,
    };
    this.#view.draw(speaking);
    this.#show(state, status[state] ?? '');
    this.#view.darken();
  }

  #show(state: RecitalState, status: string): void {
    const { island } = this.#options;
    island.dataset.state = state;
    find(island, '[data-status]').textContent = status;
    find<HTMLButtonElement>(island, '[data-stop]').disabled = !this.isBusy;
    const pause = find<HTMLButtonElement>(island, '[data-pause]');
    const isOver = state === 'done' || state === 'stopped' || state === 'failed';
    pause.textContent = isOver ? 'Play again' : state === 'paused' ? 'Go on' : 'Pause';
    pause.disabled =
      state === 'idle' || state === 'asking' || (isOver && this.#speaking?.isSeekable !== true);
    const speaking = this.isBusy ? undefined : this.#speaking;
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
