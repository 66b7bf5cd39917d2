import { type OperationId, operationTable, refusals } from '@speech-api/types';
import { UsageError } from '../errors.ts';
import type { Cost, Profile } from '../judge/report.ts';
import { asObject } from '../specification/document.ts';
import { addresses, keys, wallets } from './scenarios/every-operation.ts';
import { lists } from './scenarios/lists.ts';
import { live } from './scenarios/live.ts';
import { inlineVoices, speechEncodings, speechFormats, speechLong } from './scenarios/speech.ts';
import { rules, speechRefusals } from './scenarios/speech-refusals.ts';
import { stream } from './scenarios/stream.ts';
import { transcription } from './scenarios/transcription.ts';
import { voiceReads, voiceRefusals } from './scenarios/voice-calls.ts';
import { voiceLives } from './scenarios/voice-lives.ts';
import { pretended, type Scenario, type Step } from './step.ts';

/** Scenarios that a run plays, in their order, and scenarios that it leaves out. */
export interface Choice {
  readonly chosen: readonly Scenario[];
  /** Maximum cost of the chosen scenarios. */
  readonly cost: Cost;
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly scenario: Scenario;
  /** The change of options that would include it. */
  readonly reason: string;
}

/** Options that select the scenarios of a run. */
export interface ChoiceOptions {
  /** Runs about a quarter of the scenarios, which cover every area. @defaultValue false */
  readonly quick?: boolean;
  /** Maximum cost of the run. @defaultValue 400 calls, 20000 characters, 300 seconds of audio */
  readonly limits?: Partial<Cost>;
  /** @defaultValue 'full' */
  readonly profile?: Profile;
  /** Leaves all voice models unchanged; speech and transcriptions still run. @defaultValue false */
  readonly readOnly?: boolean;
  /**
   * Names of scenarios or calls, as a report prints them; a name ending in `*` is a prefix. Empty or undefined means all.
   */
  readonly only?: readonly string[];
  /** Operations to call; no other is judged. Empty or undefined means all. */
  readonly operations?: readonly OperationId[];
  /** Operations that are not called, such as those of the wallet for a key without rights to it. */
  readonly except?: readonly OperationId[];
}

export const defaultLimits: Cost = { calls: 400, characters: 20_000, audioSeconds: 300 };

export const noCost: Cost = { calls: 0, characters: 0, audioSeconds: 0 };

/** Takes the scenarios in their order, each one that still fits the limits. */
export function chooseScenarios(options: ChoiceOptions, spent: Cost = noCost): Choice {
  const limits = { ...defaultLimits, ...options.limits };
  const chosen: Scenario[] = [];
  const leftOut: LeftOut[] = [];
  let cost = spent;
  for (const scenario of scenarios) {
    const steps = scenario.steps.filter((step) => options.profile !== 'stateless' || !needsState(step));
    const next = steps.map(costOf).reduce(addCosts, cost);
    const reason = whyNot(scenario, steps, options) ?? whatIsExceeded(next, limits);
    if (reason !== undefined) leftOut.push({ scenario, reason });
    else {
      chosen.push({ ...scenario, steps });
      cost = next;
    }
  }
  return { chosen, cost, leftOut };
}

/** Why a scenario is left out that `--only` does not name. */
export const notNamed = 'it was not among those of --only';

function whyNot(
  scenario: Scenario,
  steps: readonly Step[],
  { only = [], operations = [], except = [], ...options }: ChoiceOptions,
): string | undefined {
  if (only.length > 0 && !only.some((pattern) => isNamed(scenario, pattern))) return notNamed;
  const called = operationsOf(scenario);
  if (called.some((id) => except.includes(id))) return 'it calls an operation of --except';
  if (operations.length > 0 && !called.every((id) => operations.includes(id)))
    return 'it calls an operation that is not among those of --operations';
  if (options.quick === true && only.length === 0 && scenario.isQuick !== true) return 'the run was --quick';
  if (options.readOnly === true && scenario.writes === true)
    return 'it changes voice models, and the run was --read-only';
  return steps.length === 0 ? 'it needs a server with state, and the profile was stateless' : undefined;
}

/** True if the scenario or one of its calls has this name, or starts with the part before its `*`. */
export function isNamed({ name, steps }: Scenario, pattern: string): boolean {
  const names = [name, ...steps.map((step) => step.name)];
  return pattern.endsWith('*')
    ? names.some((name) => name.startsWith(pattern.slice(0, -1)))
    : names.includes(pattern);
}

/** @throws UsageError when a name is not one of the operations */
export function readOperations(option: string, values: readonly string[]): OperationId[] {
  return values
    .flatMap((value) => value.split(','))
    .map((value) => {
      const id = (Object.keys(operationTable) as OperationId[]).find((name) => name === value.trim());
      if (id !== undefined) return id;
      const names = Object.keys(operationTable).join(', ');
      throw new UsageError(`${option} ${value} is not an operation. Use some of ${names}.`);
    });
}

/** Refusals that depend on the server's state, not on the request alone. */
const stateful = new Set([
  ...refusals.filter(({ stage }) => stage === 'work').map(({ id }) => id),
  ...['key-unknown', 'forbidden', 'concurrency', 'credit'],
]);

function needsState({ needsState: isMarked, expectation }: Step): boolean {
  if (isMarked !== undefined) return isMarked;
  return expectation.outcome === 'refused' && expectation.refusals.every((id) => stateful.has(id));
}

/** Cost of a step if the server performs all of it: a server that misses a fault bills the request like any other. */
export function costOf(step: Step): Cost {
  return { calls: 1, characters: charactersOf(step), audioSeconds: 0, ...step.cost };
}

function charactersOf(step: Step): number {
  if (step.kind === 'live')
    return step.script.reduce((sum, action) => sum + ('send' in action ? textIn(action.send) : 0), 0);
  const { operationId } = step;
  if (operationId !== 'createSpeech' && operationId !== 'streamSpeechWithTimestamps') return 0;
  return textIn(step.call(pretended).fields);
}

function textIn(value: unknown): number {
  const { text, request } = asObject(value);
  return (typeof text === 'string' ? [...text].length : 0) + (request === undefined ? 0 : textIn(request));
}

export function addCosts(first: Cost, second: Cost): Cost {
  return {
    calls: first.calls + second.calls,
    characters: first.characters + second.characters,
    audioSeconds: first.audioSeconds + second.audioSeconds,
  };
}

/** Names the exceeded limit in words, or nothing. */
function whatIsExceeded(cost: Cost, limits: Cost): string | undefined {
  if (cost.calls > limits.calls) return `it did not fit --max-calls ${limits.calls}`;
  if (cost.characters > limits.characters) return `it did not fit --max-characters ${limits.characters}`;
  if (cost.audioSeconds > limits.audioSeconds)
    return `it did not fit --max-audio-seconds ${limits.audioSeconds}`;
  return undefined;
}

/** All scenarios, in the order in which a run plays them. */
export const scenarios: readonly Scenario[] = [
  ...speechEncodings,
  ...speechFormats,
  ...speechLong,
  ...speechRefusals,
  ...rules,
  ...inlineVoices,
  ...stream,
  ...live,
  ...transcription,
  ...voiceLives,
  ...voiceReads,
  ...voiceRefusals,
  ...lists,
  ...wallets,
  ...addresses,
  ...keys,
];

/** The operations that a scenario calls. */
export function operationsOf(scenario: Scenario): OperationId[] {
  return [...new Set(scenario.steps.map(({ operationId }) => operationId))];
}
