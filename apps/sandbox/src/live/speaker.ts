import { Refusal } from '@speech-api/server';
import { limits, type SynthesisRequest } from '@speech-api/types';
import { pace } from '../latency/pace.ts';
import type { OperationContext } from '../operations/context.ts';
import { recordSpeech } from '../recent-calls.ts';
import { logFailure } from '../server/log.ts';
import type { SpeechPiece } from '../speech/job.ts';
import { createJob, savedVoicesOf, voicesOf } from '../synthesis.ts';
import { createRunningBill } from './running-bill.ts';

/** Speaks for one socket, in the name of the account that opened it. */
export interface Speaker {
  /** The model header of the upgrade. */
  readonly model: string | undefined;
  /** Listens to the samples of the request first, if it has any.
   *
   * @throws Refusal when the account may not have this spoken, or a sample can't be read */
  open(request: SynthesisRequest, signal: AbortSignal): Promise<SpokenText>;
  /** Notes for the log why speaking failed. */
  logFailure(error: unknown): void;
}

/** A text that is spoken while it comes. */
export interface SpokenText {
  /** @throws Refusal when there is too much text, or no credit for it */
  write(text: string): void;
  flush(): void;
  end(): void;
  readonly pieces: AsyncIterable<SpeechPiece>;
}

export function createSpeaker(context: OperationContext): Speaker {
  const { call, account, state, speech, uploads, settings, recorder, traceId, log } = context;
  const { model } = call.headers;
  return {
    model,
    logFailure: (error) => logFailure(log, error, traceId),
    async open(request, signal) {
      const voices = await voicesOf(request, { state, account, uploads, signal });
      signal.throwIfAborted();
      const job = createJob(request, model, voices);
      const price = (text: string) => state.prices.speech(text, job.model);
      const bill = createRunningBill(
        { state, account, operation: call.operation.id, voices: savedVoicesOf(request) },
        price,
      );
      let codePoints = 0;
      const accept = (text: string): void => {
        codePoints += countCodePoints(text);
        if (codePoints > limits.textCodePoints) {
          const message = `the text of a session must have at most ${limits.textCodePoints} characters.`;
          throw new Refusal('text-too-long', { message });
        }
        bill.reserve(text);
      };
      accept(job.text);
      const asked = { ...job };
      const session = speech.open(job, { signal });
      return {
        write(text) {
          accept(text);
          asked.text += text;
          session.write(text);
        },
        flush: session.flush,
        end: session.end,
        pieces: recordSpeech(
          pace(bill.settleOn(session.pieces), job, settings.latencyProfile, { signal }),
          recorder,
          asked,
        ),
      };
    },
  };
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
