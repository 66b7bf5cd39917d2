import type { SpeechPiece } from './speech/job.ts';
import { type Amount, type BillSubject, lesser, openBill } from './wallet.ts';

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
  const bills: { readonly settle: ReturnType<typeof openBill>; readonly amount: Amount }[] = [];
  let wanted = 0n;
  let reserved = 0n;

  const open = (amount: Amount): void => {
    // The use of a voice counts once.
    const voices = bills.length === 0 ? (subject.voices ?? []) : [];
    bills.push({ settle: openBill({ ...subject, amount, voices }), amount });
    reserved += amount;
  };

  const settle = (produced: Amount, hasSpoken: boolean): void => {
    let rest = produced;
    for (const { settle, amount } of bills) {
      const share = lesser(rest, amount);
      // Speech of no price uses a voice, too.
      settle(hasSpoken ? share : undefined);
      rest -= share;
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
