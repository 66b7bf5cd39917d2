import { overloadHeaders, Refusal } from '@speech-api/server';
import { headerNames, type SynthesisRequest } from '@speech-api/types';
import { recordSpeech } from '../recent-calls.ts';
import { createRunningBill } from '../running-bill.ts';
import { SpeechOverloadError } from '../speech/engine/protocol.ts';
import type { SpeechJob, SpeechPiece, SpeechSession } from '../speech/job.ts';
import { createJob, savedVoicesOf, voicesOf } from '../synthesis.ts';
import type { OperationContext } from './context.ts';

/** Speech that is billed to the account of a call, and is kept with the call. */
export interface OpenedSpeech extends SpeechSession {
  readonly job: SpeechJob;
}

/**
 * Opens the speech of a request. Listens to its samples first, if it has any.
 *
 * @param grows whether more text may come than that of the request
 * @throws Refusal when the account may not have this spoken, or a sample cannot be read
 */
export async function openSpeech(
  context: OperationContext,
  request: SynthesisRequest,
  { signal, grows }: { readonly signal: AbortSignal; readonly grows: boolean },
): Promise<OpenedSpeech> {
  const { call, account, state, speech, uploads, recorder } = context;
  const voices = await voicesOf(request, { state, account, uploads, signal });
  signal.throwIfAborted();
  const job = createJob(request, call.headers[headerNames.model], voices);
  const bill = createRunningBill(
    { state, userId: account.user._id, operation: call.operation.id, voices: savedVoicesOf(request) },
    { price: (text) => state.prices.speech(text, job.model), grows },
  );
  bill.reserve(job.text);
  const asked = { ...job };
  const session = speech.open(job, { signal });
  const spoken = grows ? refuseOverload(session.pieces) : refuseUnspeakable(session.pieces, signal);
  return {
    job,
    write(text) {
      bill.reserve(text);
      asked.text += text;
      session.write(text);
    },
    flush: session.flush,
    end: session.end,
    pieces: recordSpeech(bill.settleOn(spoken), recorder, asked),
  };
}

async function* refuseOverload(pieces: AsyncIterable<SpeechPiece>): AsyncGenerator<SpeechPiece> {
  try {
    yield* pieces;
  } catch (cause) {
    if (!(cause instanceof SpeechOverloadError)) throw cause;
    const message = 'The sandbox has more to speak than it can; try again in a moment.';
    throw new Refusal('overloaded', { message, headers: overloadHeaders, cause });
  }
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
  for await (const piece of refuseOverload(pieces)) {
    spoke ||= piece.audio.length > 0;
    yield piece;
  }
  signal.throwIfAborted();
  if (!spoke) throw new Refusal('rule', { message: 'text contains nothing that can be spoken.' });
}
