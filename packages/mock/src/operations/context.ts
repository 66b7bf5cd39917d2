import type { IncomingMessage } from 'node:http';
import type { FaultyResponse, LiveReceiver, ReceivedCall, Upgrade } from '@speech-api/server';
import type { OperationId } from '@speech-api/types';
import type { OpenCall } from '../calls/call-log.ts';
import type { Preferences } from '../prefer/prefer.ts';

/** What an operation is answered with. */
export interface OperationContext {
  readonly call: ReceivedCall;
  readonly request: IncomingMessage;
  readonly response: FaultyResponse;
  readonly preferences: Preferences;
  /** Aborted when the caller is gone or the mock closes. */
  readonly signal: AbortSignal;
  readonly record: OpenCall;
  readonly upgrade: Upgrade | undefined;
  readonly live: LiveReceiver;
  /** Seconds that a live socket stays open without a session. */
  readonly liveIdleSeconds: number;
}

/** Answers one operation. */
export type OperationHandler = (context: OperationContext) => void | Promise<void>;

export type OperationHandlers = Readonly<Record<OperationId, OperationHandler>>;
