import type { OperationId } from '@speech-api/types';
import type { Expectation } from './expectation.ts';
import type { GroupMembership } from './group.ts';
import type { Source } from './source.ts';

/** One request and its answer. */
export interface HttpExchange {
  readonly kind: 'http';
  /** What a person knows it by, unique within a run: `createSpeech, mp3 at 32000 Hz`. */
  readonly name: string;
  /** Found by method and path when it is left out. */
  readonly operationId?: OperationId;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
  readonly expectation?: Expectation;
  /** The criteria of a workflow that this answer is judged by besides, and whether they hold. */
  readonly criteria?: readonly Criterion[];
  readonly groups?: readonly GroupMembership[];
  /** Where it was recorded, if it stands in a file. */
  readonly source?: Source;
}

export interface Criterion {
  /** In words: its workflow, its step and its condition. */
  readonly text: string;
  readonly holds: boolean;
}

export interface RecordedRequest {
  /** Upper case. */
  readonly method: string;
  /** Absolute, with its query. */
  readonly url: string;
  /** By their lower-case names. `authorization` may be there; it is never shown. */
  readonly headers: Headers;
  /** The bytes as they were sent, if there were any and they are known. */
  readonly body?: Uint8Array;
  /** What the body means, with binary parts as `Uint8Array`. Read from `body` when it is left out. */
  readonly decoded?: unknown;
}

export interface RecordedResponse {
  readonly status: number;
  /** By their lower-case names; several of one name are joined by `, `. */
  readonly headers: Headers;
  /** After content and transfer coding were undone; as far as it came when it was cut. */
  readonly body: Uint8Array;
  /** There was a body and the recording does not have it. @defaultValue false */
  readonly isBodyMissing?: boolean;
  /** The pieces of the body as they arrived, when that is known; joined they are `body`. */
  readonly chunks?: readonly RecordedChunk[];
  /** The version of HTTP, where it is known: `1.1`, `2`. */
  readonly httpVersion?: string;
  /** How the body ended: as its transfer coding says, or not. */
  readonly ended: BodyEnd;
}

/** `cut`: the connection broke; `deadline` and `too-large`: we stopped reading. */
export type BodyEnd = 'complete' | 'cut' | 'deadline' | 'too-large';

export interface RecordedChunk {
  /** Milliseconds after the request was sent. */
  readonly atMs: number;
  readonly bytes: Uint8Array;
}

/** Header values by lower-case name. */
export type Headers = Readonly<Record<string, string>>;
