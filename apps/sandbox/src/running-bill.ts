import type { SpeechPiece } from './speech/job.ts';
import { type Amount, type Bill, type BillSubject, openBill } from './wallet.ts';

/** The bill of a text that may still grow. */
export interface RunningBill {
  /**
   * Reserves the price of more text.
   *
   * @throws Refusal `credit-short` when the account has less than that
   */
  reserve(text: string): void;
  /** Hands pieces on, and settles on the text chunks that were begun when they end. */
  settleOn(pieces: AsyncIterable<SpeechPiece>): AsyncIterable<SpeechPiece>;
}

/** Reserve ahead of the text, so that not every word is an entry in the wallet. */
const ahead = ' '.repeat(500);

export function createRunningBill(
  subject: Omit<BillSubject, 'amount'>,
  { price, grows }: { readonly price: (text: string) => Amount; readonly grows: boolean },
): RunningBill {
  const bills: { readonly bill: Bill; readonly amount: Amount }[] = [];
  let wanted = 0n;
  let reserved = 0n;

  const open = (amount: Amount): void => {
    // The use of a voice counts once.
    const bill = openBill({ ...subject, amount, voices: bills.length === 0 ? (subject.voices ?? []) : [] });
    bills.push({ bill, amount });
    reserved += amount;
  };

  const settle = (produced: Amount, hasSpoken: boolean): void => {
    let rest = produced;
    for (const { bill, amount } of bills) {
      const share = lesser(rest, amount);
      // Speech of no price uses a voice, too.
      if (hasSpoken) bill.add(share);
      rest -= share;
      bill.settle();
    }
  };

  return {
    reserve(text) {
      wanted += price(text);
      if (bills.length > 0 && wanted <= reserved) return;
      if (!grows) return open(wanted);
      try {
        open(wanted - reserved + price(ahead));
      } catch {
        open(wanted - reserved);
      }
    },
    async *settleOn(pieces) {
      let lastChunk = -1;
      let produced = 0n;
      let whole = false;
      try {
        for await (const piece of pieces) {
          if (piece.chunk_seq > lastChunk && piece.audio.length > 0) {
            lastChunk = piece.chunk_seq;
            produced += price(piece.content);
          }
          yield piece;
        }
        whole = true;
      } finally {
        // As for an ordinary call: the whole text when all of it was spoken, tags and spaces included.
        settle(whole ? wanted : produced, lastChunk >= 0);
      }
    },
  };
}

/** `Math.min` knows no bigint. */
function lesser(one: Amount, other: Amount): Amount {
  if (one < other) return one;
  return other;
}
