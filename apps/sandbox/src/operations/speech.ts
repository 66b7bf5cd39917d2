import { Refusal, sendStream } from '@speech-api/server';
import {
  audioMediaTypes,
  mediaTypes,
  type SpeechStreamEvent,
  type SynthesisRequest,
} from '@speech-api/types';
import { pace } from '../latency.ts';
import { refusalOfOverload } from '../live/live-session.ts';
import { recordSpeech } from '../recent-calls.ts';
import { SpeechOverloadError } from '../speech/engine/protocol.ts';
import type { SpeechJob, SpeechPiece } from '../speech/job.ts';
import { billSpeech, createJob, savedVoicesOf, voicesOf } from '../synthesis.ts';
import { openBill } from '../wallet.ts';
import type { OperationContext, OperationHandler } from './context.ts';

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

async function speak(
  context: OperationContext,
): Promise<{ job: SpeechJob; pieces: AsyncIterable<SpeechPiece> }> {
  const { call, account, state, speech, signal, settings, recorder } = context;
  const request = call.body as SynthesisRequest;
  const job = createJob(request, call.headers.model, await voicesOf(request, context));
  const pieces = refuseUnspeakable(speech.synthesize(job, { signal }), signal);
  const { prices } = state;
  const bill = openBill({
    state,
    account,
    operation: call.operation.id,
    amount: prices.speech(job.text, job.model),
    voices: savedVoicesOf(request),
  });
  const billed = billSpeech(pieces, bill, { prices, model: job.model });
  const paced = pace(billed, job, settings.latencyProfile, { signal });
  return { job, pieces: recordSpeech(paced, recorder, job) };
}

/**
 * Refuses a text that turns out to have nothing to speak, such as one of only signs and spaces.
 * That is not an error of the engine, and an empty success would be a lie.
 */
async function* refuseUnspeakable(
  pieces: AsyncIterable<SpeechPiece>,
  signal: AbortSignal,
): AsyncGenerator<SpeechPiece> {
  let spoke = false;
  try {
    for await (const piece of pieces) {
      spoke ||= piece.audio.length > 0;
      yield piece;
    }
  } catch (error) {
    if (SpeechOverloadError.isInstance(error)) throw refusalOfOverload(error);
    throw error;
  }
  signal.throwIfAborted();
  if (!spoke) throw new Refusal('rule', { message: 'text has nothing in it that can be spoken.' });
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
