import type { ServerResponse } from 'node:http';
import type { ReceivedCall, Upgrade } from '@speech-api/server';
import type { OperationId } from '@speech-api/types';
import type { Account } from '../accounts.ts';
import type { LatencyProfile } from '../latency/latency-profiles.ts';
import type { LiveEndpoint } from '../live/live-endpoint.ts';
import type { Recall } from '../recall/recall.ts';
import type { CallRecorder } from '../recent-calls.ts';
import type { Logger } from '../server/log.ts';
import type { SpeechService } from '../speech/job.ts';
import type { State } from '../state/state.ts';
import type { Uploads } from '../uploads/uploads.ts';

/** What an operation works with: a request that the spec allows, of an account that may make it. */
export interface OperationContext {
  readonly call: ReceivedCall;
  readonly account: Account;
  readonly response: ServerResponse;
  /** Aborted when the caller goes away or the sandbox closes. */
  readonly signal: AbortSignal;
  readonly state: State;
  readonly speech: SpeechService;
  readonly uploads: Uploads;
  readonly recall: Recall;
  readonly live: LiveEndpoint;
  /** Where the request is to be changed to a WebSocket. */
  readonly upgrade: Upgrade | undefined;
  readonly settings: OperationSettings;
  /** Its entry among the recent calls. */
  readonly recorder: CallRecorder;
  readonly traceId: string;
  readonly log: Logger;
  /** The address of a kept file, as the caller reaches this sandbox. */
  readonly fileUrl: (name: string) => string;
}

/** How operations behave, as the sandbox was started. */
export interface OperationSettings {
  /** How long a `full` training takes. */
  readonly trainingMilliseconds: number;
  /** How soon and how fast audio leaves; `undefined` for as fast as it can. */
  readonly latencyProfile: LatencyProfile | undefined;
}

/** Answers one operation; throws a `Refusal` for what only the state of the service refuses. */
export type OperationHandler = (context: OperationContext) => void | Promise<void>;

/** One handler an operation. */
export type OperationHandlers = Readonly<Record<OperationId, OperationHandler>>;
