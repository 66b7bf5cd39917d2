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

/** `POST /v1/tts/stream/with-timestamp`: one event a piece of audio, with the latest alignment (section 2.4). */
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

function eventOf(piece: SpeechPiece): SpeechStreamEvent {
  const { audio } = piece;
  return {
    audio_base64: Buffer.from(audio.buffer, audio.byteOffset, audio.byteLength).toString('base64'),
    content: piece.content,
    alignment: piece.alignment,
    chunk_seq: piece.chunk_seq,
    chunk_audio_offset_sec: piece.chunk_audio_offset_sec,
  };
}
