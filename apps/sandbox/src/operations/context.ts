import type { ServerResponse } from 'node:http';
import type { OperationId } from '@speech-api/types';
import type { ReceivedCall } from '@speech-api/wire';
import type { Account } from '../accounts/account.ts';
import type { Recall } from '../recall/recall.ts';
import type { Seed } from '../seed/seed.ts';
import type { SpeechService } from '../speech/index.ts';
import type { Uploads } from '../uploads/index.ts';

/** What an operation works with: a request that the spec allows, of an account that may make it. */
export interface OperationContext {
  readonly call: ReceivedCall;
  readonly account: Account;
  readonly response: ServerResponse;
  /** Aborted when the caller goes away or the sandbox closes. */
  readonly signal: AbortSignal;
  readonly seed: Seed;
  readonly speech: SpeechService;
  readonly uploads: Uploads;
  readonly recall: Recall;
}

/** Answers one operation; throws a `Refusal` for what only the state of the service refuses. */
export type OperationHandler = (context: OperationContext) => void | Promise<void>;

/** One handler an operation. */
export type OperationHandlers = Readonly<Record<OperationId, OperationHandler>>;
