import type { SpeechPiece } from '../speech/index.ts';
import type { Bill } from '../wallet/bill.ts';
import type { Prices } from '../wallet/prices.ts';

/**
 * Hands pieces on and notes what they cost: a text chunk counts from its first piece on. The bill is settled before
 * the answer can end, so that whoever has a whole answer finds it charged.
 */
export async function* billSpeech(
  pieces: AsyncIterable<SpeechPiece>,
  bill: Bill,
  { prices, model }: { readonly prices: Prices; readonly model: string },
): AsyncGenerator<SpeechPiece> {
  let lastChunk = -1;
  try {
    for await (const piece of pieces) {
      if (piece.chunk_seq > lastChunk && piece.audio.length > 0) {
        lastChunk = piece.chunk_seq;
        bill.add(prices.speech(piece.content, model));
      }
      yield piece;
    }
    bill.settleAll();
  } finally {
    bill.settle();
  }
}
