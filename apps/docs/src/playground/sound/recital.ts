import { AudioFormatError, finishWav } from '@speech-api/audio';
import type { SpeechEvent } from '@speech-api/streaming';
import { audioMediaTypes } from '@speech-api/types';
import { beginSound } from '../../embedded/one-sound.ts';
import { limitOf, silentWords } from '../../embedded/voice-limits.ts';
import { type Explanation, explainError } from '../explain-error.ts';
import type { Island } from '../page/island.ts';
import { find, saveFile } from '../page/page.ts';
import { Stage } from '../text/stage.ts';
import { Speaking, type SpeakingCall } from './speaking.ts';
import { Tape } from './tape.ts';

/** Values of `data-state` on the island's element. */
type RecitalState = 'idle' | 'asking' | 'speaking' | 'paused' | 'done' | 'stopped' | 'failed';

/** Audio that waits for so long to be heard has no device to sound on. */
const silenceMilliseconds = 6000;

/** Speaks what an island asks for, and shows it while it is heard: text, tape and status. */
export class Recital {
  readonly #island: Island;
  readonly #stage: Stage;
  readonly #tape: Tape;
  #speaking: Speaking | undefined;
  /** State of the last drawing. */
  #isHeard = false;
  #segments: readonly { readonly start: number }[] | undefined;
  #duration = 0;
  #index = -1;

  constructor(island: Island) {
    this.#island = island;
    const seek = (seconds: number) => void this.#seek(seconds);
    const seekWord = (index: number) => seek(this.#segments?.[index]?.start ?? 0);
    const [words, paper] = [find(island, '[data-words]'), find(island, '[data-paper]')];
    this.#stage = new Stage(words, seekWord, paper);
    this.#tape = new Tape(island, seek);
    find(island, '[data-pause]').addEventListener('click', () => void this.toggle());
    document.addEventListener('keydown', (event) => {
      if (event.key !== ' ' || !island.isConnected || isTaken(event.target)) return;
      if (this.#speaking === undefined) return;
      event.preventDefault();
      void this.toggle();
    });
  }

  get #isBusy(): boolean {
    return ['asking', 'speaking', 'paused'].includes(this.#island.state);
  }

  get position(): number {
    return this.#speaking?.position ?? 0;
  }

  reset(): void {
    this.dispose();
    this.#begin('', '');
    this.#show('idle', 'Ready.');
  }

  dispose(): void {
    this.#speaking?.abort.abort();
    void this.#speaking?.player.close();
    this.#speaking = undefined;
  }

  /**
   * Speaks; resolves when it was heard to its end or stopped. Begin it in a click or a key press.
   *
   * @param text as the reader wrote it
   * @param spoken the same text with blanks for what nobody says
   * @returns whether a server spoke
   */
  async perform(call: SpeakingCall, text: string, spoken: string): Promise<boolean> {
    this.dispose();
    beginSound(this.#pause);
    this.#island.explain(undefined);
    const speaking = new Speaking(call, (samples, rate) => {
      if (this.#speaking === speaking) this.#tape.add(samples, rate);
    });
    this.#speaking = speaking;
    this.#begin(text, spoken);
    this.#show('asking', 'Asking the service …');
    this.#follow(speaking);
    const { signal } = speaking.abort;
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    let failed = false;
    try {
      const events = await speaking.ask();
      speaking.isAnswered = true;
      if (this.#speaking === speaking) this.#show('speaking', whoSpeaks(speaking));
      await Promise.race([speaking.player.play(this.#audioOf(speaking, events)), aborted]);
    } catch (error) {
      failed = !signal.aborted;
      if (failed && this.#speaking === speaking) this.#island.explain(explainFailure(speaking, error));
    }
    if (speaking.pieces.length > 0) await Promise.race([speaking.player.drained, aborted]);
    if (this.#speaking === speaking) {
      speaking.outcome = failed ? 'failed' : signal.aborted ? 'stopped' : 'done';
      this.#rest(speaking, speaking.outcome);
    }
    return !failed && !speaking.isHere;
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
  async toggle(): Promise<void> {
    const speaking = this.#speaking;
    if (speaking === undefined || this.#island.state === 'asking' || speaking.player.decodedSeconds === 0)
      return;
    if (this.#island.state === 'speaking') await this.#pause();
    else if (this.#island.state === 'paused') await this.#resume(speaking, whoSpeaks(speaking));
    else await this.#seek(0);
  }

  readonly #pause = async (): Promise<void> => {
    const speaking = this.#speaking;
    if (speaking === undefined || this.#island.state !== 'speaking') return;
    await speaking.player.pause();
    if (this.#speaking === speaking && this.#island.state === 'speaking')
      this.#show('paused', `Paused at ${speaking.position.toFixed(1)} s.`);
  };

  async #resume(speaking: Speaking, status: string): Promise<void> {
    beginSound(this.#pause);
    if (!['asking', 'speaking'].includes(this.#island.state)) {
      this.#show('speaking', status);
      this.#follow(speaking);
    }
    await speaking.player.resume();
  }

  async #seek(seconds: number): Promise<void> {
    const speaking = this.#speaking;
    if (speaking === undefined || speaking.player.decodedSeconds === 0) return;
    speaking.player.seek(seconds);
    void speaking.player.drained.then(() => {
      const { outcome } = speaking;
      if (this.#speaking === speaking && outcome !== undefined) this.#rest(speaking, outcome);
    });
    await this.#resume(speaking, `Playing from ${seconds.toFixed(1)} s.`);
  }

  async *#audioOf(
    speaking: Speaking,
    events: AsyncIterable<SpeechEvent>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const event of events) {
      if (speaking.isHere) speaking.timeline.apply(event);
      if (event.type !== 'audio-chunk') continue;
      speaking.pieces.push(event.audio);
      yield event.audio;
    }
  }

  async save(kind: string): Promise<void> {
    if (this.#speaking === undefined) return;
    const { format, pieces, timeline } = this.#speaking;
    if (kind === 'vtt') return saveFile('speech.vtt', 'text/vtt', [timeline.toVtt()]);
    if (kind === 'srt') return saveFile('speech.srt', 'application/x-subrip', [timeline.toSrt()]);
    const bytes = new Uint8Array(await new Blob([...pieces]).arrayBuffer());
    // A streamed wav says nothing true about its length; a file does.
    saveFile(`speech.${format}`, audioMediaTypes[format], [format === 'wav' ? finishWav(bytes) : bytes]);
  }

  /** Shows the text that is about to be spoken, and nothing of what was. */
  #begin(text: string, spoken: string): void {
    this.#isHeard = false;
    this.#segments = undefined;
    this.#duration = 0;
    this.#index = -1;
    find(this.#island, '[data-first-sound]').textContent = '';
    this.#stage.show(text, spoken);
    this.#tape.clear();
  }

  /** Draws what is heard, once a frame. */
  #follow(speaking: Speaking): void {
    requestAnimationFrame(() => {
      if (this.#speaking !== speaking || !['asking', 'speaking'].includes(this.#island.state)) return;
      const { position } = speaking;
      this.#draw(speaking, position);
      this.#light(speaking.timeline.indexAt(position));
      this.#follow(speaking);
    });
  }

  #draw({ began, timeline, player }: Speaking, position: number): void {
    const first = find(this.#island, '[data-first-sound]');
    const passed = performance.now() - began;
    if (!this.#isHeard && position > 0) {
      this.#isHeard = true;
      first.textContent = `first sound after ${Math.round(Math.max(0, passed - position * 1000))} ms`;
    } else if (!this.#isHeard && player.decodedSeconds > 1 && passed > silenceMilliseconds)
      first.textContent = silentWords;
    const { segments } = timeline;
    const total = Math.max(timeline.duration, player.decodedSeconds, position);
    const changed = segments !== this.#segments;
    if (changed) this.#stage.place(segments);
    this.#tape.progress(position, total);
    if (changed || Math.abs(total - this.#duration) > 0.01) this.#tape.place(segments, total);
    this.#segments = segments;
    this.#duration = total;
  }

  #light(index: number): void {
    if (index === this.#index) return;
    this.#index = index;
    this.#stage.light(index);
    this.#tape.light(index);
  }

  /** Shows the state at rest, when nothing is playing. */
  #rest(speaking: Speaking, state: 'done' | 'stopped' | 'failed'): void {
    const seconds = speaking.position.toFixed(1);
    const status = {
      failed: speaking.pieces.length === 0 ? 'Nothing was spoken.' : `Broke off after ${seconds} s.`,
      stopped: `Stopped after ${seconds} s.`,
      done: `Heard ${seconds} s, ${speaking.timeline.segments.length} words${speaking.isHere ? ', spoken by this page without a server' : ''}.`,
    };
    this.#draw(speaking, speaking.position);
    this.#show(state, status[state]);
    this.#light(-1);
    this.#tape.tell();
  }

  #show(state: RecitalState, status: string): void {
    const island = this.#island;
    island.show(state, status);
    find<HTMLButtonElement>(island, '[data-stop]').disabled = !this.#isBusy;
    find<HTMLTextAreaElement>(island, 'textarea').readOnly = this.#isBusy;
    const pause = find<HTMLButtonElement>(island, '[data-pause]');
    const speaking = this.#isBusy || state === 'idle' ? undefined : this.#speaking;
    pause.textContent = speaking ? 'Play again' : state === 'paused' ? 'Resume' : 'Pause';
    pause.disabled = speaking ? speaking.pieces.length === 0 : !this.#isBusy || state === 'asking';
    for (const button of island.saves) {
      const amount = button.dataset.save === 'audio' ? speaking?.pieces : speaking?.timeline.segments;
      button.disabled = amount === undefined || amount.length === 0;
    }
  }
}

function whoSpeaks({ isHere, call }: Speaking): string {
  return isHere
    ? `This page is speaking, without a server.${limitOf(call.request.text)}`
    : `Speaking: ${new URL(call.connection.baseUrl).host}.`;
}

function explainFailure({ call, player, isAnswered, isThere }: Speaking, error: unknown): Explanation {
  // What cannot be decoded is no stream that broke off.
  const isBadAudio = AudioFormatError.isInstance(error) || error instanceof DOMException;
  return explainError(error, {
    baseUrl: call.connection.baseUrl,
    action: 'Speak',
    answered: isAnswered,
    receivedSeconds: isBadAudio ? 0 : player.decodedSeconds,
    isThere,
  });
}

/** Whether the space bar already has a function where it was pressed. */
function isTaken(target: EventTarget | null): boolean {
  const controls = 'input, textarea, select, button, summary, a[href]';
  return target instanceof Element && target.closest(controls) !== null;
}
