import type { OperationId } from '@speech-api/types';
import type { Exchange, Expectation, GroupMembership } from '../exchange.ts';
import type { Cost } from '../judge/report.ts';
import type { LiveAction } from '../transport/hold-session.ts';

/** One thing that a scenario does. */
export type Step = CallStep | LiveStep;

interface CommonStep {
  /** Name for people, unique among all scenarios: `createSpeech, mp3 at 32000 Hz`. */
  readonly name: string;
  readonly expectation: Expectation;
  readonly groups?: readonly GroupMembership[];
  /**
   * The server must know something that no schema says, such as which keys there are.
   * A server without state is spared these steps.
   */
  readonly needsState?: boolean;
  /** Stores data for later steps, such as the id of a new voice. */
  readonly remember?: (exchange: Exchange, memory: Memory) => void;
  /** Names in the memory that the step needs; without them it is skipped and reported. */
  readonly needs?: readonly string[];
  /** A name in the memory that makes the run wait some seconds before the step: an earlier answer did not show a change yet. */
  readonly waitsWhere?: string;
  /** Cost if the server does as it is asked. @defaultValue one call */
  readonly cost?: Partial<Cost>;
}

/** One HTTP request. */
export interface CallStep extends CommonStep {
  readonly kind: 'call';
  readonly operationId: OperationId;
  readonly call: (memory: Memory) => Call;
}

/** One live session. */
export interface LiveStep extends CommonStep {
  readonly kind: 'live';
  readonly operationId: 'openLiveSession';
  readonly headers?: Readonly<Record<string, string>>;
  /** @defaultValue 'given' */
  readonly key?: Key;
  /** The actions in order: messages to send and events to wait for. */
  readonly script: readonly LiveAction[];
}

/** `wrong` is an unknown key, `scheme` the right key with the scheme Basic, `lower` the right key with its scheme in lower case. */
export type Key = 'given' | 'wrong' | 'none' | 'scheme' | 'lower';

/** Parts that differ from call to call. */
export interface Call {
  /** A different method than the operation's; the request then belongs to no operation. */
  readonly method?: string;
  /** A different path than the operation's; the request then belongs to no operation. */
  readonly elsewhere?: string;
  /** Values of the path parameters. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /** @defaultValue 'given' */
  readonly key?: Key;
  /** The body, written in `mediaType`. */
  readonly fields?: Fields;
  /** @defaultValue the first media type of the operation */
  readonly mediaType?: string;
  /** The raw body, instead of `fields`. */
  readonly bytes?: Uint8Array;
}

/** Values by name; a list repeats the name. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The fields of a request body. Bytes are `Uint8Array`, whatever the media type turns them into. */
export type Fields = Readonly<Record<string, unknown>>;

/** Related steps that run one after another. */
export interface Scenario {
  /** Name for `--only`, in kebab-case. */
  readonly name: string;
  /** Description in one line. */
  readonly about: string;
  /** True if `--quick` runs it too. */
  readonly isQuick?: boolean;
  /** True if it changes the server, so that `--read-only` leaves it out. Speaking and transcribing change nothing but the credit. */
  readonly writes?: boolean;
  readonly steps: readonly Step[];
}

/** Values that the steps of a run share, such as the id of a voice that was made. */
export interface Memory {
  get(name: string): string;
  bytes(name: string): Uint8Array;
  has(name: string): boolean;
  set(name: string, value: string | Uint8Array): void;
}

/** @param pretend replaces values known only during a real run; without it, reading them is an error */
export function createMemory(pretend?: (name: string) => string | Uint8Array): Memory {
  const values = new Map<string, string | Uint8Array>();
  const read = (name: string): string | Uint8Array => {
    const value = values.get(name) ?? pretend?.(name);
    if (value === undefined) throw new Error(`nothing is known yet about "${name}"`);
    return value;
  };
  return {
    get: (name) => {
      const value = read(name);
      return typeof value === 'string' ? value : `<${name}>`;
    },
    bytes: (name) => {
      const value = read(name);
      return typeof value === 'string' ? new TextEncoder().encode(value) : value;
    },
    has: (name) => values.has(name) || pretend !== undefined,
    set: (name, value) => {
      values.set(name, value);
    },
  };
}

/** A memory for previews: a value known only during a real run is shown as its name. */
export const pretended: Memory = createMemory((name) => `<${name}>`);
