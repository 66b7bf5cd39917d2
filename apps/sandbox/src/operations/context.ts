import type { Answer, OpenCall, ReceivedCall } from '@speech-api/server';
import type { OperationId } from '@speech-api/types';
import type { Recall } from '../recall/recall.ts';
import type { Account } from '../seed.ts';
import type { SpeechService } from '../speech/job.ts';
import type { State } from '../state/state.ts';
import type { Uploads } from '../uploads/uploads.ts';

export interface OperationParts {
  readonly state: State;
  readonly speech: SpeechService;
  readonly uploads: Uploads;
  readonly recall: Recall;
  /** Whether a voice model that does not exist is spoken by a voice chosen from its id. */
  readonly lenient: boolean;
  /** Duration of a `full` training. */
  readonly trainingMilliseconds: number;
}

/** Input of an operation: a request that the spec allows, from an account that may make it. */
export interface OperationContext extends OperationParts {
  readonly call: ReceivedCall;
  readonly account: Account;
  readonly traceId: string;
  /** Whether a live session has word times. */
  readonly isTimed: boolean;
  /** Aborted when the caller goes away or the sandbox closes. */
  readonly signal: AbortSignal;
  readonly record: OpenCall;
  /** The address of a kept file, as the caller reaches this sandbox. */
  readonly fileUrl: (name: string) => string;
}

/** Answers one operation; throws a `Refusal` if the state of the service forbids it. */
export type OperationHandler = (context: OperationContext) => Answer | Promise<Answer>;

export type OperationHandlers = Readonly<Record<OperationId, OperationHandler>>;
