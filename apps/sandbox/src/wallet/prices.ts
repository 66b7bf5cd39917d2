import type { Amount } from './amount.ts';
import { readAmount } from './amount.ts';

/** What use costs, as the seed data has it: decimal numbers in strings. Invented; the interface names no price. */
export interface PriceTable {
  /** One UTF-8 byte of text, by model; `default` for all others. */
  readonly speech_per_byte: Readonly<Record<string, string>> & { readonly default: string };
  /** One second of audio, begun ones counted whole. */
  readonly transcription_per_second: string;
}

/** Works out what use costs. */
export interface Prices {
  /** The price of speaking a text. */
  speech(text: string, model: string): Amount;
  /** The price of transcribing so many seconds. */
  transcription(seconds: number): Amount;
}

/**
 * Reads a price table.
 *
 * @throws RangeError for a price that is no decimal number
 */
export function readPrices(table: PriceTable): Prices {
  const byModel = new Map(
    Object.entries(table.speech_per_byte).map(([name, text]) => [name, readAmount(text)]),
  );
  const otherModels = readAmount(table.speech_per_byte.default);
  const second = readAmount(table.transcription_per_second);
  return {
    speech: (text, model) => BigInt(Buffer.byteLength(text)) * (byModel.get(model) ?? otherModels),
    transcription: (seconds) => BigInt(Math.ceil(seconds)) * second,
  };
}
