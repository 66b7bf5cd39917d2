import { Evidence } from '../evidence/evidence.ts';
import { writePayload } from '../evidence/write-code.ts';
import { find } from '../page/page.ts';
import { Tape } from '../sound/tape.ts';
import { describeEnding, describeStep, LabView, writeLabCommands, writeReplaying } from './lab-view.ts';
import { Listening } from './listening.ts';
import type { Replay } from './replay.ts';
import {
  audioOf,
  joinAudio,
  type LabAudio,
  parseTranscript,
  replay,
  samplesOf,
  type Transcript,
} from './replay.ts';

/** Milliseconds for which each event is shown while the lab plays: long enough to read a sentence. */
const standingMilliseconds = 1400;

interface Loaded {
  readonly address: string;
  readonly transcript: Transcript;
  readonly replay: Replay;
  readonly audio: LabAudio;
  /** Seconds of all of the audio. */
  readonly seconds: number;
}

class SpeechLab extends HTMLElement {
  #parts: { evidence: Evidence; view: LabView; tape: Tape; listening: Listening } | undefined;
  #loaded: Loaded | undefined;
  /** 0 is before the first event; one more than there are events is the end. */
  #position = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  connectedCallback(): void {
    if (this.#parts) return;
    const evidence = new Evidence(this);
    const view = new LabView(this, (event) => this.#choose(event));
    const tape = new Tape(this, (seconds) => void this.#listen(seconds));
    const listening = new Listening((seconds) => this.#heard(seconds));
    this.#parts = { evidence, view, tape, listening };
    const moves: Record<string, () => number> = {
      first: () => 0,
      back: () => this.#position - 1,
      forward: () => this.#position + 1,
      last: () => this.#last,
    };
    for (const [name, target] of Object.entries(moves)) {
      find(this, `[data-go="${name}"]`).addEventListener('click', () => this.#choose(target()));
    }
    const scrubber = find<HTMLInputElement>(this, '[data-scrubber]');
    scrubber.addEventListener('input', () => this.#choose(Number(scrubber.value)));
    find(this, '[data-run]').addEventListener('click', () =>
      this.#timer === undefined ? this.#run() : this.#pause(),
    );
    find(this, '[data-listen]').addEventListener('click', () => {
      if (listening.isPlaying) listening.stop();
      else void this.#listen(0);
    });
    const chosen = find<HTMLSelectElement>(this, '[data-transcript]');
    chosen.addEventListener('change', () => void this.#load(chosen.value));
    void this.#load(chosen.value);
  }

  disconnectedCallback(): void {
    this.#pause();
    this.#parts?.listening.stop();
  }

  get #last(): number {
    return (this.#loaded?.replay.steps.length ?? 0) + 1;
  }

  async #load(name: string): Promise<void> {
    this.#pause();
    this.#parts?.listening.stop();
    const address = new URL(`${this.dataset.base ?? '/'}transcripts/${name}.jsonl`, location.href).href;
    try {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`the site answered ${response.status}`);
      const transcript = parseTranscript(await response.text());
      const read = await replay(transcript);
      const audio = audioOf(transcript);
      const { channels, sampleRate } = samplesOf(joinAudio(read.steps), audio);
      this.#loaded = {
        address,
        transcript,
        replay: read,
        audio,
        seconds: (channels[0]?.length ?? 0) / sampleRate,
      };
    } catch (error) {
      find(this, '[data-said]').textContent = `The recording could not be read: ${String(error)}`;
      return;
    }
    const { transcript } = this.#loaded;
    find(this, '[data-about]').textContent = transcript.about;
    for (const rule of this.querySelectorAll<HTMLElement>('[data-rule]')) {
      rule.hidden = !transcript.breaks.includes(rule.dataset.rule ?? '');
    }
    find(this, '[data-broken]').hidden = transcript.breaks.length === 0;
    find<HTMLInputElement>(this, '[data-scrubber]').max = String(this.#last);
    // The first event is more to look at than nothing.
    this.#show(1);
    this.dataset.ready = '';
  }

  /** Goes to the event that the reader chose, and stops playing. */
  #choose(position: number): void {
    this.#pause();
    this.#parts?.listening.stop();
    this.#show(position);
  }

  #run(): void {
    this.#parts?.listening.stop();
    find(this, '[data-run]').textContent = 'Pause';
    // What changes every moment would be read out without end; at the end it is said once.
    find(this, '[data-said]').setAttribute('aria-live', 'off');
    if (this.#position >= this.#last) this.#show(0);
    const next = () => {
      if (this.#position + 1 >= this.#last) this.#pause();
      this.#show(this.#position + 1);
      if (this.#timer !== undefined) this.#timer = setTimeout(next, standingMilliseconds);
    };
    this.#timer = setTimeout(next, standingMilliseconds / 2);
  }

  #pause(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    find(this, '[data-run]').textContent = 'Play';
    find(this, '[data-said]').setAttribute('aria-live', 'polite');
  }

  async #listen(from: number): Promise<void> {
    if (this.#parts === undefined || this.#loaded === undefined) return;
    this.#pause();
    const { steps } = this.#loaded.replay;
    const bytes = joinAudio(steps.slice(0, this.#position));
    if (bytes.length === 0) return;
    find(this, '[data-listen]').textContent = 'Stop';
    await this.#parts.listening.play(bytes, this.#loaded.audio, from);
  }

  #heard(seconds: number | undefined): void {
    if (this.#parts === undefined || this.#loaded === undefined) return;
    const { tape } = this.#parts;
    const segments = this.#loaded.replay.steps[Math.min(this.#position, this.#last - 1) - 1]?.segments ?? [];
    tape.progress({ heard: seconds ?? 0, total: this.#loaded.seconds });
    tape.light(
      seconds === undefined
        ? -1
        : segments.findLastIndex(({ start, end }) => start <= seconds && seconds < end),
    );
    if (seconds === undefined) find(this, '[data-listen]').textContent = 'Hear what has arrived';
  }

  #show(wanted: number): void {
    if (this.#parts === undefined || this.#loaded === undefined) return;
    const { evidence, view, tape } = this.#parts;
    const { replay: read, transcript, address, audio, seconds } = this.#loaded;
    const { steps, ending } = read;
    this.#position = Math.max(0, Math.min(wanted, this.#last));
    const isOver = this.#position === this.#last;
    const count = Math.min(this.#position, steps.length);
    const current = steps[count - 1];
    view.show(steps, count, isOver ? ending : undefined);
    tape.clear();
    tape.add(samplesOf(joinAudio(steps.slice(0, count)), audio));
    tape.progress({ heard: 0, total: seconds });
    tape.place(current?.segments ?? [], seconds);
    tape.tell();
    const secondsOf = (bytes: number) => `, ${(bytes / 2 / audio.sampleRate).toFixed(2)} s`;
    find(this, '[data-said]').textContent = isOver
      ? describeEnding(read)
      : current === undefined
        ? 'Nothing has arrived yet.'
        : describeStep(current, count, secondsOf);
    this.dataset.state = isOver ? ending.kind : 'open';
    this.dataset.position = String(this.#position);
    this.#showControls(isOver ? ending.atMilliseconds : (current?.atMilliseconds ?? 0), count, isOver);
    evidence.write('typescript', writeReplaying(address, count, transcript.end === 'broken' && isOver));
    evidence.write('curl', writeLabCommands(address, transcript));
    evidence.write('event', current === undefined ? '' : writePayload(current.wire));
    evidence.write('timeline', writePayload({ segments: current?.segments ?? [] }));
  }

  #showControls(milliseconds: number, count: number, isOver: boolean): void {
    const steps = this.#last - 1;
    const place = isOver
      ? `The end, after ${steps} events`
      : count === 0
        ? 'Before the first event'
        : `Event ${count} of ${steps}`;
    find(this, '[data-place]').textContent = place;
    find(this, '[data-at]').textContent = `${milliseconds} ms`;
    const scrubber = find<HTMLInputElement>(this, '[data-scrubber]');
    scrubber.value = String(this.#position);
    scrubber.setAttribute('aria-valuetext', place);
    for (const name of ['first', 'back']) this.#switch(name, this.#position > 0);
    for (const name of ['forward', 'last']) this.#switch(name, !isOver);
    find<HTMLButtonElement>(this, '[data-listen]').disabled = count === 0;
  }

  /** A button that went off under the focus would lose it, so it is only marked. */
  #switch(name: string, isOn: boolean): void {
    find(this, `[data-go="${name}"]`).setAttribute('aria-disabled', String(!isOn));
  }
}

customElements.define('speech-lab', SpeechLab);
