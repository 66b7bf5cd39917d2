import { type SegmentOptions, type TextChunk, TextSegmenter } from './segment.ts';
import { type PrepareOptions, TextPreparer } from './spoken-text.ts';

/** Text up to a flush, or the end. */
interface Part {
  text: string;
  /** Whether anything was written to it. */
  begun: boolean;
  complete: boolean;
}

/** UTF-16 units prepared in one go: a hundred thousand must not hold up the first sentence, nor anybody else. */
const portion = 1000;

/**
 * A text that is written bit by bit and read chunk by chunk. What is read depends on what was written and where it was
 * flushed, never on when.
 */
export class TextFeed {
  readonly #preparer: TextPreparer;
  readonly #segmenter: TextSegmenter;
  readonly #parts: Part[] = [newPart()];
  #ended = false;
  #given = false;

  constructor(options: PrepareOptions & SegmentOptions) {
    this.#preparer = new TextPreparer(options);
    this.#segmenter = new TextSegmenter(options);
  }

  /** Whether everything was read. */
  get finished(): boolean {
    return this.#ended && this.#parts.length === 0;
  }

  write(text: string): void {
    const part = this.#parts.at(-1);
    if (this.#ended || part === undefined) throw new Error('The text has ended.');
    if (text === '') return;
    part.text += text;
    part.begun = true;
  }

  /** Makes the text written so far readable without waiting for more. */
  flush(): void {
    const part = this.#parts.at(-1);
    if (this.#ended || part === undefined || !part.begun) return;
    part.complete = true;
    this.#parts.push(newPart());
  }

  end(): void {
    const part = this.#parts.at(-1);
    if (part !== undefined) part.complete = true;
    this.#ended = true;
  }

  /** The next chunk, or `undefined` when there is none yet or the feed is finished. At least one is given. */
  next(): TextChunk | undefined {
    for (;;) {
      const [part] = this.#parts;
      if (part === undefined) return undefined;
      const chunk = this.#segmenter.next('more') ?? this.#read(part);
      if (chunk !== undefined) {
        this.#given = true;
        return chunk;
      }
      if (part.text !== '') continue;
      if (!part.complete) return undefined;
      this.#segmenter.restart();
      this.#parts.shift();
      if (this.#parts.length === 0 && !this.#given) return this.#silence();
    }
  }

  /** Hands on some of the part's text; at its end, all that is left of it. */
  #read(part: Part): TextChunk | undefined {
    this.#segmenter.write(this.#preparer.write(part.text.slice(0, portion)));
    part.text = part.text.slice(portion);
    if (part.text !== '' || !part.complete) return this.#segmenter.next('more');
    this.#segmenter.write(this.#preparer.end());
    return this.#segmenter.next(this.#isLast(part) ? 'none' : 'later');
  }

  #isLast(part: Part): boolean {
    return this.#ended && this.#parts.at(-1) === part;
  }

  /** A short silence, for a text of nothing but spaces and tags: every answer needs some audio. */
  #silence(): TextChunk {
    this.#given = true;
    return this.#segmenter.unsayable ?? { characters: [], content: '', ending: 'sentence' };
  }
}

function newPart(): Part {
  return { text: '', begun: false, complete: false };
}
