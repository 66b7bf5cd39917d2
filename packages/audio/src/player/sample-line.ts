/** Messages from the page to the audio thread. */
export type ToLine =
  | { readonly type: 'samples'; readonly utterance: number; readonly samples: Float32Array }
  | { readonly type: 'end'; readonly utterance: number }
  | { readonly type: 'clear' };

/** Report from the audio thread to the page, sent about 50 times a second and at each change. */
export interface LineReport {
  /** The number of the utterance that plays, or is about to. */
  readonly utterance: number;
  /** Frames of this utterance that the output has received. */
  readonly playedFrames: number;
  /** Frames of all utterances that wait. */
  readonly waitingFrames: number;
  /** Time of the context at the end of what was given, in seconds. */
  readonly time: number;
  /** Number of times an utterance ran out of audio before its end. */
  readonly underruns: number;
  /** Frames that are gathered before an utterance begins, and again after it ran dry. */
  readonly startFrames: number;
  readonly isPlaying: boolean;
  /** The last frame of the utterance was given. */
  readonly isEnded: boolean;
}

interface Utterance {
  readonly id: number;
  readonly pieces: Float32Array[];
  waitingFrames: number;
  playedFrames: number;
  isEnded: boolean;
  isPlaying: boolean;
  underruns: number;
}

const firstStartSeconds = 0.12;
const minimumStartSeconds = 0.06;
const maximumStartSeconds = 1;
/** After a first underrun, the start buffer shrinks only after this many utterances in a row without one. */
const steadyUtterancesToShrink = 10;
const reportsPerSecond = 50;

/**
 * Samples of utterances in a row, as an audio thread takes them. An utterance begins when enough of it waits, or all
 * of it. The start buffer adapts: it doubles when an utterance runs dry and shrinks after one that did not. Once it has
 * been too short, ten of those are needed: a service that pauses pauses in every utterance.
 */
export class SampleLine {
  readonly #sampleRate: number;
  readonly #report: (report: LineReport) => void;
  #utterances: Utterance[] = [];
  #startFrames: number;
  #underruns = 0;
  #steadyUtterances = 0;
  #framesSinceReport = 0;

  constructor(sampleRate: number, report: (report: LineReport) => void, startSeconds = firstStartSeconds) {
    this.#sampleRate = sampleRate;
    this.#report = report;
    this.#startFrames = Math.round(startSeconds * sampleRate);
  }

  handle(message: ToLine): void {
    if (message.type === 'clear') {
      this.#utterances = [];
      return;
    }
    const utterance = this.#find(message.utterance);
    if (message.type === 'end') utterance.isEnded = true;
    else if (message.samples.length > 0) {
      utterance.pieces.push(message.samples);
      utterance.waitingFrames += message.samples.length;
    }
  }

  /** Fills one block; what is missing is silence. @param time - Of the context at the end of the block, in seconds. */
  fill(output: Float32Array, time: number): void {
    output.fill(0);
    let filled = 0;
    for (;;) {
      const [utterance] = this.#utterances;
      if (utterance === undefined || !this.#mayPlay(utterance)) break;
      filled += this.#take(utterance, output.subarray(filled));
      if (utterance.waitingFrames > 0) break;
      if (utterance.isEnded) this.#finish(utterance, time);
      else if (filled < output.length) this.#runDry(utterance, time);
      else break;
    }
    this.#framesSinceReport += output.length;
    const [utterance] = this.#utterances;
    if (utterance !== undefined && this.#framesSinceReport * reportsPerSecond >= this.#sampleRate) {
      this.#tell(utterance, time, false);
    }
  }

  #find(id: number): Utterance {
    const known = this.#utterances.find((utterance) => utterance.id === id);
    if (known !== undefined) return known;
    const counts = { waitingFrames: 0, playedFrames: 0, underruns: 0 };
    const added: Utterance = { id, pieces: [], ...counts, isEnded: false, isPlaying: false };
    this.#utterances.push(added);
    return added;
  }

  #mayPlay(utterance: Utterance): boolean {
    utterance.isPlaying ||= utterance.isEnded || utterance.waitingFrames >= this.#startFrames;
    return utterance.isPlaying;
  }

  #take(utterance: Utterance, output: Float32Array): number {
    let filled = 0;
    while (filled < output.length) {
      const piece = utterance.pieces.shift();
      if (piece === undefined) break;
      const part = piece.subarray(0, output.length - filled);
      output.set(part, filled);
      filled += part.length;
      if (part.length < piece.length) utterance.pieces.unshift(piece.subarray(part.length));
    }
    utterance.waitingFrames -= filled;
    utterance.playedFrames += filled;
    return filled;
  }

  #finish(utterance: Utterance, time: number): void {
    this.#utterances.shift();
    this.#steadyUtterances = utterance.underruns === 0 ? this.#steadyUtterances + 1 : 0;
    const isLongSteady = this.#steadyUtterances % steadyUtterancesToShrink === 0;
    const mayShrink = utterance.underruns === 0 && (this.#underruns === 0 || isLongSteady);
    if (mayShrink) this.#setStart(this.#startFrames * 0.8);
    this.#tell(utterance, time, true);
  }

  #runDry(utterance: Utterance, time: number): void {
    utterance.isPlaying = false;
    utterance.underruns += 1;
    this.#underruns += 1;
    this.#setStart(this.#startFrames * 2);
    this.#tell(utterance, time, false);
  }

  #setStart(frames: number): void {
    const [minimum, maximum] = [
      minimumStartSeconds * this.#sampleRate,
      maximumStartSeconds * this.#sampleRate,
    ];
    this.#startFrames = Math.round(Math.min(Math.max(frames, minimum), maximum));
  }

  #tell({ id, playedFrames, isPlaying }: Utterance, time: number, isEnded: boolean): void {
    this.#framesSinceReport = 0;
    this.#report({
      utterance: id,
      playedFrames,
      waitingFrames: this.#utterances.reduce((sum, { waitingFrames }) => sum + waitingFrames, 0),
      time,
      underruns: this.#underruns,
      startFrames: this.#startFrames,
      isPlaying: isPlaying && !isEnded,
      isEnded,
    });
  }
}
