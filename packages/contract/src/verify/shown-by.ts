import {
  type AudioFormat,
  defaultSampleRates,
  type OperationId,
  operationTable,
  synthesisDefaults,
  synthesisRanges,
} from '@speech-api/types';
import type { RefusalExpected, Relation } from '../exchange.ts';
import type { JsonObject } from '../specification/document.ts';
import { keyRefusals } from '../specification/rules.ts';
import { isGenerated } from './generate/generated-scenarios.ts';
import { createMemory } from './make-step.ts';
import { coveredBy } from './not-tried.ts';
import type { CallStep, Scenario, Step } from './step.ts';

const speechOperations: readonly OperationId[] = ['createSpeech', 'streamSpeechWithTimestamps'];

/** Every scenario shows something that no other does; that alone does not justify keeping it. */
export const littleWorth = 1;

/** The relative worth of each. What the interface states is first, a second encoding is last. */
const weights = {
  success: 100,
  key: 160,
  pair: 120,
  voiceStep: 90,
  statedLimit: 60,
  statedMediaType: 55,
  statedRule: 50,
  statedRefusal: 30,
  format: 40,
  longText: 40,
  field: 20,
  openRefusal: 12,
  filter: 10,
  generated: 10,
  again: 8,
  encoding: 4,
  rest: littleWorth,
} as const;

/** Relations that the interface states come first. */
const relationWeights: Readonly<Record<Relation, number>> = {
  encodings: 300,
  trace: 300,
  pages: 120,
  filters: 10,
  voice: 120,
  speech: 120,
  texts: 0,
  recordings: 10,
  operation: 0,
  untraced: 0,
  repeat: 10,
};

/** What a scenario shows of a server, by name, with what that is worth. */
export function shownBy(scenario: Scenario): ReadonlyMap<string, number> {
  const shown = new Map<string, number>();
  // What a seed chose shows something else with each seed, so that nothing relies on it.
  if (isGenerated(scenario)) {
    const family = scenario.name.replace(/-\d+$/, '');
    return shown.set(`family ${family}`, weights.generated).set(scenario.name, weights.rest);
  }
  const { steps } = scenario;
  for (const step of steps) {
    for (const [name, weight] of shownByStep(step)) shown.set(name, Math.max(weight, shown.get(name) ?? 0));
  }
  return shown;
}

/** Asking a step for its call makes its body, up to 20 MB of sound. */
const known = new WeakMap<Step, readonly Shown[]>();

type Shown = readonly [name: string, weight: number];

function shownByStep(step: Step): readonly Shown[] {
  let shown = known.get(step);
  if (shown === undefined) {
    shown = step.expectation.outcome === 'refused' ? refusalOf(step) : successOf(step);
    known.set(step, shown);
  }
  return shown;
}

function refusalOf(step: Step): Shown[] {
  const { expectation } = step;
  if (expectation.outcome !== 'refused') return [];
  const operationId = step.kind === 'live' ? 'openLiveSession' : step.operationId;
  const [kind = ''] = expectation.refusals;
  const own: Shown = [`refusal of ${step.name}`, weights.rest];
  if (expectation.refusals.every((id) => keyRefusals.includes(id))) {
    return [[`key of ${operationId}`, weights.key], [`kind of key: ${kind}`, weights.again], own];
  }
  const isOpen =
    expectation.rests !== undefined || operationId === 'createModel' || operationId === 'openLiveSession';
  // Their least values are stated, their names are not.
  const isPage = expectation.field?.startsWith('page_') === true;
  if (isPage) return [[`limit of ${expectation.field}`, weights.statedLimit], own];
  if (isOpen) return [[`refusal of ${operationId}: ${kind}`, weights.openRefusal], own];
  return [
    statedRefusal(expectation, operationId),
    [`refusal of ${operationId}: ${kind}`, weights.again],
    own,
  ];
}

/** Fields with a short list of values. */
const listed: readonly string[] = ['format', 'latency'];

function statedRefusal({ refusals, field, because }: RefusalExpected, operationId: string): Shown {
  const [kind = ''] = refusals;
  if (field !== undefined) {
    if (field in synthesisRanges || listed.includes(field)) return [`limit of ${field}`, weights.statedLimit];
    const weight = field === 'audio' ? weights.statedLimit : weights.statedRule;
    return [`limit of ${field}: ${because}`, weight];
  }
  if (kind === 'audio-length' || kind === 'file-too-large') return [`limit: ${because}`, weights.statedLimit];
  // A rule between fields does not belong to one field; its text says what is wrong.
  if (kind === 'rule') return [`rule: ${because}`, weights.statedRule];
  const weight = kind === 'media-type' ? weights.statedMediaType : weights.statedRefusal;
  return [`refusal: ${operationId} ${kind}`, weight];
}

function successOf(step: Step): Shown[] {
  const shown: Shown[] = coveredBy(step, '').map(({ operationId, what, mediaType = '' }) => [
    `${operationId} ${what} ${mediaType}`,
    what === 'operation' ? weights.success : weights.encoding,
  ]);
  for (const { relation, role = '' } of step.groups ?? []) {
    const operationId = step.kind === 'live' ? 'openLiveSession' : step.operationId;
    shown.push([`relation ${relation}`, relationWeights[relation]]);
    if (relation === 'voice') shown.push([`voice ${role}`, weights.voiceStep]);
    else if (relation === 'speech') shown.push([`speed ${role}`, weights.pair]);
    else if (relation !== 'repeat') {
      const isStated = relation === 'trace' || speechOperations.includes(operationId);
      const weight = isStated ? weights.pair : weights.again;
      shown.push([`${relation} of ${operationId} ${role}`, weight]);
    }
  }
  return [
    ...shown,
    ...(step.kind === 'live' ? actionsOf(step) : partsOf(step)),
    [`success of ${step.name}`, weights.rest],
  ];
}

function partsOf(step: CallStep): Shown[] {
  const call = step.call(createMemory((name) => `<${name}>`));
  if (call.key === 'lower') return [['scheme in lower case', weights.statedRule]];
  const names = (call.query ?? []).map(([name]) => name);
  const query = names.map((name): Shown => [`query ${name}`, weights.filter]);
  // One that nothing matches shows whether it is looked at.
  if ((call.query ?? []).some(([, value]) => value.includes('no such')))
    query.push(['a filter alone', weights.statedRule]);
  // Beside another filter one that is ignored does not show.
  if (names.join() === 'self') query.push(['own voice models alone', weights.statedRule]);
  const isSpeech = operationTable[step.operationId].acceptsModel;
  if (step.operationId === 'createTranscription') {
    const asked = (call.fields as { ignore_timestamps?: unknown } | undefined)?.ignore_timestamps;
    return asked === undefined ? [] : [[`ignore_timestamps ${asked}`, weights.pair]];
  }
  if (!isSpeech || typeof call.fields !== 'object' || call.fields === null) return query;
  return [...query, ...settingsOf(step.operationId, call.fields as JsonObject)];
}

/** What a synthesis request asks for. */
function settingsOf(operationId: OperationId, fields: JsonObject): Shown[] {
  const format = (fields.format ?? synthesisDefaults.format) as AudioFormat;
  const rate = fields.sample_rate ?? null;
  const shown: Shown[] = [
    [`format ${format}`, weights.format],
    [`format ${format} of ${operationId}`, weights.field],
  ];
  if (rate === null) shown.push([`default rate of ${format}`, weights.format]);
  else if (rate !== defaultSampleRates[format]) shown.push([`another rate of ${format}`, weights.field]);
  const bitrate = `${format}_bitrate`;
  const isOtherBitrate = bitrate in fields && fields[bitrate] !== (synthesisDefaults as JsonObject)[bitrate];
  if (isOtherBitrate) shown.push([`another bitrate of ${format}`, weights.field]);
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'format') continue;
    if (name === 'text') {
      if (String(value).length > 200) shown.push([`long text of ${operationId}`, weights.longText]);
      continue;
    }
    shown.push([`field ${name}`, weights.field]);
    if (Array.isArray(value) && Array.isArray(value[0]))
      shown.push([`${name} of speakers`, weights.statedRule]);
    if (name === 'sample_rate') shown.push([`rate ${value}`, weights.field]);
    const range = Object.entries(synthesisRanges).find(([key]) => key === name)?.[1];
    if (range?.minimum === value) shown.push([`least ${name}`, weights.field]);
    if (range?.maximum === value) shown.push([`greatest ${name}`, weights.field]);
  }
  return shown;
}

/** The kinds of messages that a live session sends. */
function actionsOf(step: Extract<Step, { kind: 'live' }>): Shown[] {
  return step
    .script(createMemory((name) => `<${name}>`))
    .flatMap((action): Shown[] => ('send' in action ? [[`live ${action.send.event}`, weights.pair]] : []));
}
