import { type LiveSpeech, Refusal, type TimedPiece } from '@speech-api/server';
import { headerNames, type SynthesisRequest } from '@speech-api/types';
import { pace } from '../latency.ts';
import type { OperationContext, OperationHandler } from '../operations/context.ts';
import { recordSpeech } from '../recent-calls.ts';
import { SpeechOverloadError } from '../speech/engine/protocol.ts';
import type { SpeechPiece } from '../speech/job.ts';
import { createJob, savedVoicesOf, voicesOf } from '../synthesis.ts';
import { createRunningBill } from './running-bill.ts';

/** `GET /v1/tts/live`: the change to a WebSocket, and what is said on it until it is closed. */
export const openLiveSession: OperationHandler = (context) =>
  context.live.accept(context.exchange, {
    model: context.call.headers[headerNames.model],
    open: (request, signal) => openSpeech(context, request, signal),
  });

/**
 * Opens the speech of one session, in the name of the account that opened the socket. Listens to the samples of the
 * request first, if it has any.
 *
 * @throws Refusal when the account may not have this spoken, or a sample cannot be read
 */
async function openSpeech(
  context: OperationContext,
  request: SynthesisRequest,
  signal: AbortSignal,
): Promise<LiveSpeech> {
  const { call, account, state, speech, uploads, settings, recorder } = context;
  const voices = await voicesOf(request, { state, account, uploads, signal });
  signal.throwIfAborted();
  const job = createJob(request, call.headers[headerNames.model], voices);
  const bill = createRunningBill(
    { state, account, operation: call.operation.id, voices: savedVoicesOf(request) },
    (text) => state.prices.speech(text, job.model),
  );
  bill.reserve(job.text);
  const asked = { ...job };
  const session = speech.open(job, { signal });
  const paced = pace(bill.settleOn(session.pieces), job, settings.latencyProfile, { signal });
  return {
    write(text) {
      bill.reserve(text);
      asked.text += text;
      session.write(text);
    },
    flush: session.flush,
    end: session.end,
    pieces: audioOf(recordSpeech(paced, recorder, asked), context.exchange.upgrade?.withTimestamps === true),
  };
}

async function* audioOf(
  pieces: AsyncIterable<SpeechPiece>,
  withTimestamps: boolean,
): AsyncGenerator<Uint8Array | TimedPiece> {
  try {
    for await (const { audio, content, alignment, chunk_seq, chunk_audio_offset_sec } of pieces) {
      yield withTimestamps ? { audio, content, alignment, chunk_seq, chunk_audio_offset_sec } : audio;
    }
  } catch (error) {
    if (SpeechOverloadError.isInstance(error)) throw refusalOfOverload(error);
    throw error;
  }
}

/** The message for callers when the engines are too busy for their text. */
export function refusalOfOverload(cause: Error): Refusal {
  const message = 'The sandbox has more to speak than it can; try again in a moment.';
  return new Refusal('overloaded', { message, headers: { [headerNames.retryAfter]: '5' }, cause });
}
