import { sendStream } from '@speech-api/server';
import {
  audioMediaTypes,
  mediaTypes,
  type SpeechStreamEvent,
  type SynthesisRequest,
} from '@speech-api/types';
import type { SpeechPiece } from '../speech/job.ts';
import type { OperationContext, OperationHandler } from './context.ts';
import { type OpenedSpeech, openSpeech } from './open-speech.ts';

/** `POST /v1/tts`: the audio, sent while it is made. */
export const createSpeech: OperationHandler = async (context) => {
  const { job, pieces } = await speak(context);
  await sendStream(context.response, pieces, {
    contentType: audioMediaTypes[job.format],
    encode: (piece) => piece.audio,
    signal: context.signal,
  });
};

/** `POST /v1/tts/stream/with-timestamp`: one event a piece of audio, with the latest alignment. */
export const streamSpeechWithTimestamps: OperationHandler = async (context) => {
  const { pieces } = await speak(context);
  await sendStream(context.response, pieces, {
    contentType: mediaTypes.eventStream,
    // Nothing on the way may hold events back or keep them.
    headers: { 'cache-control': 'no-cache, no-transform', 'x-accel-buffering': 'no' },
    encode: (piece) => Buffer.from(`data: ${JSON.stringify(eventOf(piece))}\n\n`),
    signal: context.signal,
  });
};

async function speak(context: OperationContext): Promise<OpenedSpeech> {
  const { call, signal } = context;
  const speech = await openSpeech(context, call.body as SynthesisRequest, { signal, grows: false });
  speech.end();
  return speech;
}

function eventOf({ audio, ...known }: SpeechPiece): SpeechStreamEvent {
  const bytes = Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength);
  return { audio_base64: bytes.toString('base64'), ...known };
}
