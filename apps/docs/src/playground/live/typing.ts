/** Text that is handed over piece by piece, as a session reads it. */
export class WrittenText implements AsyncIterable<string> {
  readonly #pieces: string[] = [];
  #isOver = false;
  #wake: () => void = () => {};

  push(text: string): void {
    this.#pieces.push(text);
    this.#wake();
  }

  /** There is no more of it. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) yield piece;
      else if (this.#isOver) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

const clauseEnd = /[,;:.!?…—]["'”’»)\]]*\s+|[，；：、。！？]+[」』”’）]*\s*|\n/gu;

/** End of the last complete clause of a text that is being typed; the text after it may still change. */
export function endOfClauses(text: string): number {
  const last = [...text.matchAll(clauseEnd)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

/** A text in pieces of about the size in which a language model writes. */
export function tokensOf(text: string): string[] {
  return text.match(/\s*\p{Script=Han}|\s*[^\s\p{Script=Han}]{1,5}|\s+/gu) ?? [];
}

/** Words as a reader counts them; of Chinese, characters. */
export function countWords(text: string): number {
  return text.match(/\p{Script=Han}|[^\s\p{P}\p{Script=Han}][^\s\p{Script=Han}]*/gu)?.length ?? 0;
}
