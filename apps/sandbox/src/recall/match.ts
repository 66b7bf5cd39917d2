import type { TimedWord } from '../speech/job.ts';
import { frameSeconds, silentFrame } from './fingerprint.ts';
import type { RecallDocument, RecallStore } from './recall-store.ts';

/** A word of a document, heard again in a recording. */
export interface RecalledWord {
  readonly document: RecallDocument;
  /** Which of the document's words. */
  readonly index: number;
  /** In seconds from the start of the recording. */
  readonly start: number;
  readonly end: number;
}

/** Possible position of a document in the recording: the recording's frame minus the document's. */
interface Placement {
  readonly document: RecallDocument;
  readonly offset: number;
}

/** Words of a document that follow each other, all of them heard. */
interface Run {
  readonly words: readonly RecalledWord[];
  readonly errorRate: number;
}

/** Frames of a window that is compared: 0.64 s. */
const windowFrames = 40;
/** Two sounds that have nothing in common differ in half of their bits. */
const mostErrors = 0.25;
/** Frames that must point to the same placement before it is looked at. */
const leastVotes = 3;
/** Placements of one recording that are looked at, those with most votes first. */
const mostPlacements = 2000;
/** Frames with sound that a window has at least: 0.32 s. */
const leastFrames = 20;
/**
 * Seconds. The engine says the same phrase in another sentence with nearly the same sound, so a stretch that ends where
 * both the document and the recording go on is believed only when it is longer than such a phrase.
 */
const longestAccident = 3;
/** Share of a word by which its neighbour may reach into it: places are known to half a frame. */
const slack = 0.4;
/** Frames looked up before others get their turn. */
const framesATurn = 64;
/** Placements and stretches judged before others get their turn. */
const judgedATurn = 16;

/**
 * Finds what a recording has in common with the documents of a store. Documents may come in any order, more than once,
 * and cut: each word counts for itself, and only where every window that touches it agrees.
 */
export async function recallWords(
  frames: Uint32Array,
  store: RecallStore,
  signal: AbortSignal,
): Promise<RecalledWord[]> {
  const placements = await findPlacements(frames, store, signal);
  const runs: Run[] = [];
  for await (const placement of inTurns(placements, signal)) runs.push(...runsAt(frames, placement));
  const taken: RecalledWord[] = [];
  for await (const { words } of inTurns(runs.sort(bestFirst), signal)) {
    const free = words.filter((word) => !taken.some((other) => overlap(word, other)));
    // The rest of a run that partly overlaps a better one is a chance match, unless it is long in itself.
    if (free.length === words.length || secondsOf(free) >= longestAccident) taken.push(...free);
  }
  return taken.sort((one, other) => one.start - other.start);
}

/** A long recording is judged in many short turns: the thread has requests to answer. */
async function* inTurns<Each>(list: readonly Each[], signal: AbortSignal): AsyncGenerator<Each> {
  for (const [index, each] of list.entries()) {
    if (index % judgedATurn === 0) await new Promise(setImmediate);
    signal.throwIfAborted();
    yield each;
  }
}

async function findPlacements(
  frames: Uint32Array,
  store: RecallStore,
  signal: AbortSignal,
): Promise<Placement[]> {
  const votes = new Map<RecallDocument, Map<number, number>>();
  for (let start = 0; start < frames.length; start += framesATurn) {
    for (const { asked, document, frame } of store.lookup(frames.subarray(start, start + framesATurn))) {
      const offsets = votes.get(document) ?? new Map<number, number>();
      votes.set(document, offsets);
      const offset = start + asked - frame;
      offsets.set(offset, (offsets.get(offset) ?? 0) + 1);
    }
    await new Promise(setImmediate);
    signal.throwIfAborted();
  }
  return [...votes]
    .flatMap(([document, offsets]) => [...offsets].map(([offset, count]) => ({ document, offset, count })))
    .filter(({ count }) => count >= leastVotes)
    .sort((one, other) => other.count - one.count)
    .slice(0, mostPlacements);
}

/** The stretches of a document that are heard where a placement has them. */
function runsAt(frames: Uint32Array, { document, offset }: Placement): Run[] {
  const comparison = new Comparison(frames, document.frames, offset);
  const shift = offset * frameSeconds;
  const runs: RecalledWord[][] = [];
  document.words.forEach((word, index) => {
    if (!isHeard(word, comparison)) return;
    const heard = { document, index, start: Math.max(0, word.start + shift), end: word.end + shift };
    const run = runs.at(-1);
    if (run?.at(-1)?.index === index - 1) run.push(heard);
    else runs.push([heard]);
  });
  return runs
    .filter((words) => secondsOf(words) >= longestAccident || !goesOn(words, comparison))
    .map((words) => ({ words, errorRate: errorRateOf(words, comparison) }));
}

/** Whether the document has more words where the recording still has room for them. */
function goesOn(words: readonly RecalledWord[], comparison: Comparison): boolean {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) return false;
  const said = first.document.words;
  return covers(said[first.index - 1], comparison) || covers(said[last.index + 1], comparison);
}

function errorRateOf(words: readonly RecalledWord[], comparison: Comparison): number {
  const said = words.flatMap(({ document, index }) => document.words[index] ?? []);
  const [start, end] = [said[0]?.start ?? 0, said.at(-1)?.end ?? 0];
  return comparison.errorRate(Math.round(start / frameSeconds), Math.round(end / frameSeconds));
}

/** Whether the word exists and the recording is long enough to contain it. */
function covers(word: TimedWord | undefined, comparison: Comparison): boolean {
  if (word === undefined) return false;
  return word.start / frameSeconds >= comparison.first && word.end / frameSeconds <= comparison.end;
}

/** Every window that touches the word agrees. At an end of the document or the recording a window is moved inside. */
function isHeard(word: TimedWord, comparison: Comparison): boolean {
  const first = Math.round(word.start / frameSeconds);
  const end = Math.max(first + 1, Math.round(word.end / frameSeconds));
  if (first < comparison.first || end > comparison.end) return false;
  const last = Math.max(comparison.first, comparison.end - windowFrames);
  const earliest = Math.min(last, Math.max(comparison.first, first - windowFrames + 1));
  const latest = Math.min(last, end - 1);
  for (let start = earliest; start <= latest; start += 1) {
    const stop = Math.min(comparison.end, start + windowFrames);
    // Sounds around a pause say little each: the windows that have more of them decide.
    if (comparison.voiced(start, stop) < leastFrames) continue;
    if (comparison.errorRate(start, stop) > mostErrors) return false;
  }
  return comparison.voiced(earliest, Math.min(comparison.end, latest + windowFrames)) >= leastFrames;
}

function secondsOf(words: readonly RecalledWord[]): number {
  return (words.at(-1)?.end ?? 0) - (words[0]?.start ?? 0);
}

function bestFirst(one: Run, other: Run): number {
  return other.words.length - one.words.length || one.errorRate - other.errorRate;
}

function overlap(one: RecalledWord, other: RecalledWord): boolean {
  const shared = Math.min(one.end, other.end) - Math.max(one.start, other.start);
  return shared > slack * Math.min(one.end - one.start, other.end - other.start);
}

/** Bit errors between a document and a recording it is laid over, as sums, so that any stretch is quickly judged. */
export class Comparison {
  /** The document's frames that the recording covers. */
  readonly first: number;
  readonly end: number;
  readonly #errors: Uint32Array;
  readonly #voiced: Uint32Array;

  constructor(recording: Uint32Array, document: Uint32Array, offset: number) {
    this.first = Math.max(0, -offset);
    this.end = Math.min(document.length, recording.length - offset);
    this.#errors = new Uint32Array(document.length + 1);
    this.#voiced = new Uint32Array(document.length + 1);
    for (let index = this.first; index < this.end; index += 1) {
      const wanted = document[index] ?? silentFrame;
      const given = recording[index + offset] ?? silentFrame;
      const compared = wanted !== silentFrame;
      // If the recording is silent and the document is not, half of the bits count as wrong.
      const errors = given === silentFrame ? 16 : ones(wanted ^ given);
      this.#errors[index + 1] = (this.#errors[index] ?? 0) + (compared ? errors : 0);
      this.#voiced[index + 1] = (this.#voiced[index] ?? 0) + (compared ? 1 : 0);
    }
  }

  /** Number of frames of the document between two positions that are not silent. */
  voiced(start: number, end: number): number {
    return (this.#voiced[end] ?? 0) - (this.#voiced[start] ?? 0);
  }

  /** 0 to 1; 1 where there is nothing to compare. */
  errorRate(start: number, end: number): number {
    const voiced = this.voiced(start, end);
    return voiced === 0 ? 1 : ((this.#errors[end] ?? 0) - (this.#errors[start] ?? 0)) / (32 * voiced);
  }
}

function ones(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24) & 0x3f;
}
