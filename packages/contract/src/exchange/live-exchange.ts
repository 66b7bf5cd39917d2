import type { Expectation } from './expectation.ts';
import type { GroupMembership } from './group.ts';
import type { Headers, RecordedResponse } from './http-exchange.ts';
import type { Source } from './source.ts';

/** One live session (section 4.6), from the upgrade to the close. */
export interface LiveExchange {
  readonly kind: 'live';
  /** What a person knows it by, unique within a run. */
  readonly name: string;
  readonly operationId: 'openLiveSession';
  readonly upgrade: {
    readonly request: { readonly method: 'GET'; readonly url: string; readonly headers: Headers };
    /** Status 101, or the refusal with its body. */
    readonly response: RecordedResponse;
  };
  /** Both directions, in the order of their times. */
  readonly messages: readonly LiveMessage[];
  /** How the socket closed; left out while the upgrade was refused. */
  readonly close?: LiveClose;
  readonly expectation?: Expectation;
  readonly groups?: readonly GroupMembership[];
  /** Where it was recorded, if it stands in a file. */
  readonly source?: Source;
}

export interface LiveMessage {
  readonly direction: 'sent' | 'received';
  /** Milliseconds after the upgrade was sent. */
  readonly atMs: number;
  readonly frame: 'binary' | 'text';
  readonly bytes: Uint8Array;
}

export interface LiveClose {
  /** 1005 when the peer gave none, 1006 when the connection broke. */
  readonly code: number;
  readonly reason: string;
  /** Who closed first; `nobody` when we stopped waiting. */
  readonly by: 'client' | 'server' | 'nobody';
  readonly atMs: number;
}
