import type { RecordedRequest } from '../evidence/evidence.ts';
import type { Explanation } from '../explain-error.ts';
import { explainError } from '../explain-error.ts';
import { find } from '../page/page.ts';
import type { StagePage } from '../text/stage.ts';
import { RecitalView } from './recital-view.ts';
import { type Failure, Speaking, type SpeakingCall, saveAudio, saveCaptions } from './speaking.ts';

/** What the island's element shows as `data-state`. */
export type RecitalState = 'idle' | 'asking' | 'speaking' | 'done' | 'stopped' | 'failed';

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
  /** The page that is heard now; -1 when none is. */
  page?(index: number): void;
}

/** What is spoken and where its text is. */
export interface Performance {
  readonly call: SpeakingCall;
  readonly pages: readonly StagePage[];
  /** The row of the tape for each page. */
  readonly rows?: readonly number[];
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
      page: (index) => options.page?.(index),
    });
    find(island, '[data-stop]').addEventListener('click', () => void this.stop());
    for (const button of island.querySelectorAll<HTMLButtonElement>('[data-save]')) {
      button.addEventListener('click', () => {
        const speaking = this.#speaking;
        if (speaking === undefined) return;
        if (button.dataset.save === 'audio') void saveAudio(speaking.call.format, speaking.pieces);
        else saveCaptions(button.dataset.save === 'srt' ? 'srt' : 'vtt', speaking.timeline);
      });
    }
    island.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.isBusy) void this.stop();
    });
  }

  get isBusy(): boolean {
    const { state } = this.#options.island.dataset;
    return state === 'asking' || state === 'speaking';
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
  async perform({ call, pages, rows, record }: Performance): Promise<{ failed: boolean }> {
    void this.#speaking?.dispose();
    this.#options.explain(undefined);
    this.#outcome = undefined;
    let failed = false;
    const isCurrent = (): boolean => this.#speaking === speaking;
    const speaking: Speaking = new Speaking(call, {
      record,
      answered: () => isCurrent() && this.#show('speaking', 'Speaking.'),
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
    this.#view.begin(pages, rows);
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

  dispose(): void {
    void this.#speaking?.dispose();
  }

  async #seek(seconds: number): Promise<void> {
    const speaking = this.#speaking;
    if (!speaking?.isSeekable) return;
    await speaking.seek(seconds);
    if (this.#speaking !== speaking || this.isBusy) return;
    this.#show('speaking', `Playing from ${seconds.toFixed(1)} s.`);
    this.#follow(speaking);
  }

  #follow(speaking: Speaking): void {
    this.#view.follow(speaking, () => this.#speaking === speaking && this.isBusy);
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
      done: `Heard ${seconds} s, ${speaking.timeline.segments.length} words.`,
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
    const speaking = this.isBusy ? undefined : this.#speaking;
    for (const button of island.querySelectorAll<HTMLButtonElement>('[data-save]')) {
      const amount = button.dataset.save === 'audio' ? speaking?.pieces : speaking?.timeline.segments;
      button.disabled = amount === undefined || amount.length === 0;
    }
    this.#options.stateChanged(this.isBusy);
  }
}
