import type { FaultRule, LiveReceiver, OriginPolicy, Receiver } from '@speech-api/server';
import type { CallLog } from '../calls/call-log.ts';

/** What every request is answered with. */
export interface MockContext {
  readonly receiver: Receiver;
  readonly live: LiveReceiver;
  readonly origins: OriginPolicy;
  /** The only good keys; any is when there are none. */
  readonly keys: ReadonlySet<string> | undefined;
  readonly faults: readonly FaultRule[];
  readonly log: CallLog;
  readonly liveIdleSeconds: number;
  /** Told why a request failed, where that is the mock's own fault. */
  readonly onFailure: (error: unknown) => void;
  /** Aborted when the mock closes. */
  readonly closing: AbortSignal;
}
