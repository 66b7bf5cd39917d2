import type { OperationId } from '@speech-api/types';
import type { Source } from '../exchange/source.ts';

/** `drift` is an addition that clients tolerate, such as an unknown field: reported, never a failure. */
export type Severity = 'error' | 'warning' | 'drift';

/** One place where the contract is not kept. */
export interface Finding {
  /** The id of a rule of the spec. */
  readonly rule: string;
  readonly severity: Severity;
  /** What is wrong and what would be right, in one sentence. */
  readonly message: string;
  /** Left out when the request belongs to no operation. */
  readonly operationId?: OperationId;
  /** JSON pointer (`/items/0/state`), `byte 1204`, `event 3 /alignment`, `header content-type` or `message 2`. */
  readonly where?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** The name of the exchange. */
  readonly exchange: string;
  /** The section of the interface the rule comes from. */
  readonly section: string;
  /** Repeats the request from a shell; the key is `$SPEECH_API_KEY`. Left out where a shell can't. */
  readonly curl?: string;
  /** Where the exchange was recorded, if it stands in a file. */
  readonly source?: Source;
  /** Stands in the baseline, so it does not count. */
  readonly known?: boolean;
}
