import type { SpeechPiece } from '../speech/index.ts';
import type { CallRecorder, SpeechAsked } from './recent-calls.ts';

/** Hands pieces on and keeps their audio with the call. */
export async function* recordSpeech(
  pieces: AsyncIterable<SpeechPiece>,
  recorder: CallRecorder,
  asked: SpeechAsked,
): AsyncGenerator<SpeechPiece> {
  recorder.speaks(asked);
  for await (const piece of pieces) {
    recorder.audio(piece.audio);
    yield piece;
  }
}
