import type { AlignmentSegment } from '@speech-api/types';
import { checkSegments, parseJson } from './wire-event.ts';

/** A place in the text of an array of segments, between two of them. */
interface Boundary {
  /** Characters before it, from the opening bracket on. */
  readonly length: number;
  /** Segments before it. */
  readonly count: number;
}

const beginning: Boundary = { length: 1, count: 0 };

/**
 * The segments of one `chunk_seq`, as text of the wire that is parsed late and in pieces.
 *
 * Snapshots are cumulative (section 2.4): most of a new one is the text of the one before, which costs a comparison
 * and no parsing. Each piece of text is parsed once: when somebody reads it, when other text takes its place, or at
 * the end. So nothing malformed passes unseen, whether it was read or not.
 */
export class GrowingSegments {
  #text: string;
  /** The event that brought what is not parsed yet. */
  #eventIndex: number;
  readonly #segments: AlignmentSegment[] = [];
  /** Where a later snapshot may begin to differ. Everything before the last one is parsed. */
  readonly #boundaries: Boundary[] = [beginning];

  /** @param text - An array as it is on the wire, without its closing bracket. */
  constructor(text: string, eventIndex: number) {
    this.#text = text;
    this.#eventIndex = eventIndex;
  }

  get text(): string {
    return this.#text;
  }

  /**
   * Characters that the array at `position` of `data` has in common with this one, up to the end of a segment of
   * this one.
   *
   * @throws SpeechStreamError when the two differ before the end of this one, and this one is not what it must be.
   */
  sharedWith(data: string, position: number): number {
    const text = this.#text;
    if (startsWith(data, position, text)) return text.length;
    this.#parseRest();
    // Usually the last segment was corrected. In steps that grow, so that a snapshot made anew costs little more.
    for (let back = 2; back < this.#boundaries.length; back *= 2) {
      const { length } = this.#boundaries.at(-back) ?? beginning;
      if (startsWith(data, position, text.slice(0, length))) return length;
    }
    return 0;
  }

  /**
   * Takes in a later snapshot, which replaces this one.
   *
   * @param shared - What `sharedWith` said of it.
   * @throws SpeechStreamError when what is replaced is not what it must be.
   */
  replace(text: string, shared: number, eventIndex: number): void {
    if (text.length === shared && this.#text.length === shared) return;
    this.#parseRest();
    const kept = this.#boundaries.findLastIndex(({ length }) => length <= shared);
    this.#boundaries.length = Math.max(kept, 0) + 1;
    this.#segments.length = this.#parsed.count;
    this.#text = text;
    this.#eventIndex = eventIndex;
  }

  /**
   * All segments, in an array of their own.
   *
   * @throws SpeechStreamError `malformed-json` or `invalid-field`.
   */
  read(): AlignmentSegment[] {
    this.#parseRest();
    return this.#segments.slice();
  }

  get #parsed(): Boundary {
    return this.#boundaries.at(-1) ?? beginning;
  }

  #parseRest(): void {
    const text = this.#text;
    const { length, count } = this.#parsed;
    if (length === text.length) return;
    // The last segment apart: it is the one that the next snapshot may correct.
    const comma = text.lastIndexOf(',', text.lastIndexOf('{'));
    const [head, last] = (comma > length && tryPieces(text, length, comma, count)) || [];
    if (head !== undefined && last !== undefined) {
      this.#add(head, comma);
      this.#add(last, text.length);
    } else {
      this.#add(parsePiece(text.slice(length), count, this.#eventIndex), text.length);
    }
  }

  #add(piece: readonly unknown[], length: number): void {
    checkSegments(piece, this.#segments.length, this.#eventIndex);
    for (const segment of piece) this.#segments.push(segment as AlignmentSegment);
    this.#boundaries.push({ length, count: this.#segments.length });
  }
}

/** Parses what follows `count` segments of an array; from the second on it begins with a comma. */
function parsePiece(piece: string, count: number, eventIndex = 0): unknown[] {
  if (count === 0) return parseJson(`[${piece}]`, eventIndex) as unknown[];
  // An object stands for those before, because to a number more digits could be added.
  return (parseJson(`[{}${piece}]`, eventIndex) as unknown[]).slice(1);
}

/** Undefined where the comma is inside of something, or where there is a fault. */
function tryPieces(text: string, start: number, comma: number, count: number): unknown[][] | undefined {
  try {
    const head = parsePiece(text.slice(start, comma), count);
    return [head, parsePiece(text.slice(comma), count + head.length)];
  } catch {
    return undefined;
  }
}

function startsWith(data: string, position: number, text: string): boolean {
  // Two slices are compared as memory; `String.prototype.startsWith` goes character by character.
  return data.slice(position, position + text.length) === text;
}
