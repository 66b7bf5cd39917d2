import type { SpeechPiece } from './speech/job.ts';
import type { State } from './state/state.ts';
import type { Amount, Hold } from './wallet.ts';

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

/** The cause of a running bill. */
export interface BillSubject {
  readonly state: Pick<State, 'models' | 'wallets'>;
  readonly userId: string;
  readonly operation: string;
  /** Voice models whose use counts when anything is spoken. */
  readonly voices: readonly string[];
}

export function createRunningBill(
  { state, userId, operation, voices }: BillSubject,
  { price, grows }: { readonly price: (text: string) => Amount; readonly grows: boolean },
): RunningBill {
  let hold: Hold | undefined;
  let wanted = 0n;
  let reserved = 0n;

  const reserveMore = (amount: Amount): void => {
    if (hold === undefined) hold = state.wallets.hold(userId, amount, operation);
    else hold.grow(amount);
    reserved += amount;
  };

  return {
    reserve(text) {
      const sum = wanted + price(text);
      if (hold === undefined || sum > reserved) {
        try {
          reserveMore(sum - reserved + (grows ? price(ahead) : 0n));
        } catch (error) {
          if (!grows) throw error;
          reserveMore(sum - reserved);
        }
      }
      wanted = sum;
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
        if (lastChunk >= 0) hold?.settle(whole ? wanted : produced, () => state.models.countUse(voices));
        else hold?.settle(0n);
      }
    },
  };
}
