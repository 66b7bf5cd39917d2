import type { OperationId } from '@speech-api/types';
import type { Exchange, Expectation, GroupMembership } from '../exchange.ts';
import type { Cost } from '../judge/report.ts';
import type { LiveAction } from '../transport/hold-session.ts';
import { createMemory, type Memory } from './make-step.ts';

/** One thing that a scenario does. */
export type Step = CallStep | LiveStep;

interface CommonStep {
  /** Name for people, unique among all scenarios: `createSpeech, mp3 at 32000 Hz`. */
  readonly name: string;
  readonly expectation: Expectation;
  readonly groups?: readonly GroupMembership[];
  /** The name of the step that it repeats with another text. */
  readonly repeats?: string;
  /**
   * The server must know something that no schema says, such as which keys there are.
   * A server without state is spared these steps.
   */
  readonly needsState?: boolean;
  /** Notes what later steps need, such as the id of a new voice. */
  readonly remember?: (exchange: Exchange, memory: Memory) => void;
  /** Names in the memory without which the step can't be made; it is then left out, and so told. */
  readonly needs?: readonly string[];
  /** Cost if the server does as it is asked. @defaultValue nothing but the call */
  readonly cost?: Partial<Cost>;
}

/** One HTTP request. */
export interface CallStep extends CommonStep {
  readonly kind: 'call';
  readonly operationId: OperationId;
  readonly call: (memory: Memory) => Call;
}

/** One live session. */
interface LiveStep extends CommonStep {
  readonly kind: 'live';
  readonly headers?: Readonly<Record<string, string>>;
  /** @defaultValue 'given' */
  readonly key?: Key;
  /** In turn: what is sent, or what is waited for. */
  readonly script: (memory: Memory) => readonly LiveAction[];
}

/**
 * `wrong` is one that no server knows, `scheme` and `basic` the right one under another scheme, `lower` with the scheme in
 * lower case, `tail` the right one and a letter, `changed` with another last letter, `empty` no letter after the scheme.
 */
export type Key = 'given' | 'wrong' | 'none' | 'scheme' | 'basic' | 'lower' | 'tail' | 'changed' | 'empty';

/** Parts that differ from call to call. */
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

/** Several steps that belong together, made one after the other. */
export interface Scenario {
  /** For `--only`: kebab-case. */
  readonly name: string;
  /** One line for people. */
  readonly about: string;
  /** The name in `default-run.ts`, where it is another one: of several scenarios a seed chooses one. */
  readonly plannedAs?: string;
  /** From 0. Lower comes first, after what `default-run.ts` names; what does not fit the budget is left out. */
  readonly priority: number;
  /** Changes something on the server, so that `--read-only` leaves it out. Speaking and transcribing change nothing but the credit. */
  readonly writes?: boolean;
  readonly steps: readonly Step[];
}

/**
 * Cost of a step if the server does all it is asked, even where it should refuse: a server that does not
 * notice what is wrong bills it like any other request.
 */
export function costOf(step: Step): Cost {
  return { calls: 1, characters: charactersOf(step), audioSeconds: 0, ...step.cost };
}

export function costOfScenario(scenario: Scenario): Cost {
  return scenario.steps.map(costOf).reduce(addCosts, noCost);
}

function charactersOf(step: Step): number {
  const pretend = createMemory((name) => `<${name}>`);
  if (step.kind === 'live') {
    return step
      .script(pretend)
      .reduce((sum, action) => sum + ('send' in action ? textIn(action.send) : 0), 0);
  }
  const { operationId } = step;
  if (operationId !== 'createSpeech' && operationId !== 'streamSpeechWithTimestamps') return 0;
  return textIn(step.call(pretend).fields);
}

function textIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = 'text' in value && typeof value.text === 'string' ? [...value.text].length : 0;
  return own + ('request' in value ? textIn(value.request) : 0);
}

/** Maximum cost of a run. */
export type Budget = Cost;

/** A run without options stays within these on any server. */
export const defaultBudget: Budget = { calls: 75, characters: 2000, audioSeconds: 60 };

/** Budget of `--thorough`. */
export const thoroughBudget: Budget = { calls: 420, characters: 20_000, audioSeconds: 300 };

export const noCost: Cost = { calls: 0, characters: 0, audioSeconds: 0 };

export function addCosts(first: Cost, second: Cost): Cost {
  return {
    calls: first.calls + second.calls,
    characters: first.characters + second.characters,
    audioSeconds: first.audioSeconds + second.audioSeconds,
  };
}

/** Names what would be exceeded, for people; nothing when it fits. */
export function whatIsExceeded(cost: Cost, budget: Budget): string | undefined {
  if (cost.calls > budget.calls) return `--max-calls ${budget.calls}`;
  if (cost.characters > budget.characters) return `--max-characters ${budget.characters}`;
  if (cost.audioSeconds > budget.audioSeconds) return `--max-audio-seconds ${budget.audioSeconds}`;
  return undefined;
}
