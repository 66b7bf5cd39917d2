import { headerNames } from '@speech-api/types';
import type { OperationHandler } from '../operations/context.ts';
import { openSpeech } from '../operations/open-speech.ts';
import type { SpeechPiece } from '../speech/job.ts';

/** `GET /v1/tts/live`: the change to a WebSocket, and what is said on it until it is closed. */
export const openLiveSession: OperationHandler = (context) =>
  context.live.accept(context.exchange, {
    model: context.call.headers[headerNames.model],
    async open(request, signal) {
      const speech = await openSpeech(context, request, { signal, grows: true });
      const isTimed = context.exchange.upgrade?.withTimestamps === true;
      return { ...speech, pieces: isTimed ? speech.pieces : audioOf(speech.pieces) };
    },
  });

async function* audioOf(pieces: AsyncIterable<SpeechPiece>): AsyncGenerator<Uint8Array> {
  for await (const { audio } of pieces) yield audio;
}
