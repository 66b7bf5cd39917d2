import type { OperationId } from '@speech-api/types';

/** One thing about a request that the specification does not allow. */
export interface Violation {
  /**
   * The entry of the spec's refusals that it falls under, such as `schema` or `key-missing`; `tolerated` for what a lenient
   * mock has let pass, `second-opinion` for what Prism alone has against it.
   */
  readonly rule: string;
  /** Where it stands, such as `['body', 'temperature']`; empty when it is about the request as a whole. */
  readonly loc: readonly string[];
  /** What kind of thing it is, such as `missing`; empty when the rule says it. */
  readonly type: string;
  /** In words, without the values that were sent. */
  readonly message: string;
}

/** What came in with one request, and how it was answered. Never a key, a text or audio. */
export interface RecordedCall {
  /** Absent when no operation has this method and path. */
  readonly operationId: OperationId | undefined;
  readonly method: string;
  /** The template of the operation's path, such as `/model/{id}`; what was asked for when there is none. */
  readonly path: string;
  /** Of the request. */
  readonly contentType: string | undefined;
  /** The settings that were sent, by name: numbers, booleans, and those strings that are one of a list or name a model. */
  readonly settings: Readonly<Record<string, number | boolean | string | null>>;
  /** Of the answer; absent while there is none. */
  readonly status: number | undefined;
  readonly violations: readonly Violation[];
  /** Whether there are none. */
  readonly valid: boolean;
}
