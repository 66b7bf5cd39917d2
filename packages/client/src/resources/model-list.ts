import type { VoiceModel, VoiceModelList } from '@speech-api/types';

/**
 * A list of voice models: the first page when awaited, every item of every page when iterated.
 *
 * Nothing is requested before one of the two happens; each request is made once.
 */
export class ModelList implements PromiseLike<VoiceModelList>, AsyncIterable<VoiceModel> {
  readonly #load: (page: number) => Promise<VoiceModelList>;
  readonly #first: number;
  #firstPage: Promise<VoiceModelList> | undefined;

  constructor(load: (page: number) => Promise<VoiceModelList>, first: number) {
    this.#load = load;
    this.#first = first;
  }

  /** One page by its number, counted from 1. */
  page(number: number): Promise<VoiceModelList> {
    if (number !== this.#first) return this.#load(number);
    this.#firstPage ??= this.#load(number);
    return this.#firstPage;
  }

  // biome-ignore lint/suspicious/noThenProperty: a list can be awaited for its first page
  then<Fulfilled = VoiceModelList, Rejected = never>(
    onFulfilled?: ((page: VoiceModelList) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((error: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.page(this.#first).then(onFulfilled, onRejected);
  }

  /** Every item from the first page asked for to the last; the next page is requested when it is needed. */
  async *[Symbol.asyncIterator](): AsyncGenerator<VoiceModel, void, undefined> {
    for (let number = this.#first; ; number += 1) {
      const { items, has_more } = await this.page(number);
      yield* items;
      // A service that promises more and sends nothing would be asked for ever.
      if (!has_more || items.length === 0) return;
    }
  }
}
