import type { OperationId } from '@speech-api/types';
import type { Exchange } from '../exchange/exchange.ts';
import type { Expectation } from '../exchange/expectation.ts';
import type { GroupMembership } from '../exchange/group.ts';
import type { Criterion, HttpExchange } from '../exchange/http-exchange.ts';
import type { Memory } from './memory.ts';

/** One thing that a scenario does. */
export type Step = CallStep | LiveStep;

interface CommonStep {
  /** What a person knows it by, unique among all scenarios: `createSpeech, mp3 at 32000 Hz`. */
  readonly name: string;
  readonly expectation: Expectation;
  readonly groups?: readonly GroupMembership[];
  /**
   * The server must know something that no schema says, such as which keys there are.
   * A server without state is spared these steps.
   */
  readonly needsState?: boolean;
  /** Notes what later steps need, such as the id of a new voice. */
  readonly remember?: (exchange: Exchange, memory: Memory) => void;
  /** Names in the memory without which the step can't be made; it is then left out, and so told. */
  readonly needs?: readonly string[];
  /** What it costs when the server does as it is asked. @defaultValue nothing but the call */
  readonly cost?: Partial<Cost>;
}

/** One HTTP request. */
export interface CallStep extends CommonStep {
  readonly kind: 'call';
  readonly operationId: OperationId;
  readonly call: (memory: Memory) => Call;
  /** What a workflow wants of the answer besides. */
  readonly criteria?: (exchange: HttpExchange) => readonly Criterion[];
}

/** One live session. */
export interface LiveStep extends CommonStep {
  readonly kind: 'live';
  readonly headers?: Readonly<Record<string, string>>;
  /** @defaultValue 'given' */
  readonly key?: Key;
  /** In turn: what is sent, or what is waited for. */
  readonly script: (memory: Memory) => readonly LiveAction[];
}

/** `wrong` is one that no server knows. */
export type Key = 'given' | 'wrong' | 'none';

/** What differs from call to call. */
export interface Call {
  /** Another method than that of the operation; the request is then for no operation. */
  readonly method?: string;
  /** Another path than that of the operation; the request is then for no operation. */
  readonly elsewhere?: string;
  /** Values for the places of the path template. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: readonly (readonly [string, string])[];
  readonly headers?: Readonly<Record<string, string>>;
  /** @defaultValue 'given' */
  readonly key?: Key;
  /** The body, written in `mediaType`. */
  readonly fields?: unknown;
  /** @defaultValue the first media type of the operation */
  readonly mediaType?: string;
  /** The body as it is, in place of `fields`. */
  readonly bytes?: Uint8Array;
}

/** `finish` waits for the end of the session, `close` for the end of the socket; both have a deadline. */
export type LiveAction =
  | { readonly send: Readonly<Record<string, unknown>> }
  | { readonly wait: 'audio' | 'finish' | 'close' };

/** What a server may bill. */
export interface Cost {
  readonly calls: number;
  /** Unicode code points of text to speak. */
  readonly characters: number;
  /** Seconds of audio to transcribe. */
  readonly audioSeconds: number;
}

/** Several steps that belong together, made one after the other. */
export interface Scenario {
  /** For `--only`: kebab-case. */
  readonly name: string;
  /** One line for people. */
  readonly about: string;
  /** Lower comes first; what does not fit the budget is left out. */
  readonly priority: number;
  /** Changes something on the server, so that `--read-only` leaves it out. Speaking and transcribing change nothing but the credit. */
  readonly writes?: boolean;
  readonly steps: readonly Step[];
  /** Why it cannot be played; it has no steps then. */
  readonly notPlayed?: string;
}
