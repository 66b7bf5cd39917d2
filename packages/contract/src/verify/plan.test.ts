import { operationTable, synthesisRanges } from '@speech-api/types';
import { describe, expect, test } from 'vitest';
import { defaultBudget } from '../judge/report.ts';
import { keyRefusals } from '../specification/rules.ts';
import { thoroughBudget, whatIsExceeded } from './budget.ts';
import { defaultRun } from './default-run.ts';
import { makePlan } from './plan.ts';
import { scenario as making, refused, speak } from './scenarios/making.ts';
import { pretended, type Scenario, type Step } from './step.ts';
import { planFor, scenariosFor } from './verify.ts';

const scenario = (name: string, priority: number, calls: number): Scenario =>
  making(
    name,
    priority,
    name,
    Array.from({ length: calls }, (_none, index) => speak(`${name} ${index}`, { text: 'abc' })),
  );
const options = {
  budget: { calls: 5, characters: 1000, audioSeconds: 0 },
  profile: 'full',
  readOnly: false,
} as const;

describe('a plan', () => {
  test('takes what the default run names first, then by priority, and what still fits', () => {
    const all = [
      scenario('late', 9, 1),
      scenario('large', 2, 4),
      scenario('early', 1, 1),
      scenario('live-trace', 99, 2),
    ];
    const plan = makePlan(all, options);
    expect(plan.chosen.map(({ name }) => name)).toEqual(['live-trace', 'early', 'late']);
    expect(plan.leftOut).toEqual([expect.objectContaining({ reason: 'it did not fit --max-calls 5' })]);
  });

  test('knows every scenario that the default run names', () => {
    const known = new Set(scenariosFor(1).flatMap(({ name, plannedAs = name }) => [name, plannedAs]));
    expect(defaultRun.filter((name) => !known.has(name))).toEqual([]);
  });

  test('keeps to the limit of characters, also for requests that should be refused', () => {
    const expectation = refused('it is too long', 'text-too-long');
    const long = making('long', 1, '', [speak('long', { text: '声'.repeat(1001) }, { expectation })]);
    expect(makePlan([long], options).leftOut[0]?.reason).toBe('it did not fit --max-characters 1000');
  });

  test('leaves out what changes something when it may only read', () => {
    const plan = makePlan([{ ...scenario('writer', 1, 1), writes: true }], { ...options, readOnly: true });
    expect(plan.chosen).toEqual([]);
    expect(plan.leftOut[0]?.reason).toMatch(/--read-only/);
  });

  test('spares a server without state what only state can answer', () => {
    const expectation = refused('nobody knows it', 'unknown-voice');
    const mixed = making('mixed', 1, '', [
      speak('any', { text: 'a' }),
      speak('stateful', { text: 'a' }, { expectation }),
    ]);
    const plan = makePlan([mixed], { ...options, profile: 'stateless' });
    expect(plan.chosen[0]?.steps).toHaveLength(1);
  });
});

describe.each([1, 2])('the default run with the seed %i', (seed) => {
  const plan = planFor({ seed });
  const steps = plan.chosen.flatMap((each) => each.steps);
  const operationOf = (step: Step) => (step.kind === 'live' ? 'openLiveSession' : step.operationId);
  const operationIds = Object.keys(operationTable).sort();
  const names = plan.chosen.map(({ name }) => name);
  const isAboutTheKey = ({ expectation }: Step) =>
    expectation.outcome === 'refused' && expectation.refusals.every((id) => keyRefusals.includes(id));

  test('stays within its budget', () => {
    expect(whatIsExceeded(plan.cost, defaultBudget)).toBeUndefined();
  });

  test('succeeds in every operation, and sends each one a bad key', () => {
    const good = steps.filter(({ expectation }) => expectation.outcome === 'success').map(operationOf);
    const withBadKey = steps.filter(isAboutTheKey).map(operationOf);
    expect([...new Set(good)].sort()).toEqual(operationIds);
    expect([...new Set(withBadKey)].sort()).toEqual(operationIds);
  });

  test('tries every limit that the interface states for a synthesis, and the shortest recording', () => {
    const fields = steps.map(({ expectation }) =>
      expectation.outcome === 'refused' ? expectation.field : undefined,
    );
    expect(Object.keys(synthesisRanges).filter((name) => !fields.includes(name))).toEqual([]);
    expect(names).toContain('transcription-too-short');
  });

  test('speaks two texts with nothing else different, so that one audio for all of them shows', () => {
    const spoken = steps.flatMap((step) => {
      if (step.kind === 'live' || step.operationId !== 'createSpeech') return [];
      if (step.expectation.outcome === 'refused') return [];
      const call = step.call(pretended);
      const { text, ...settings } = call.fields as Readonly<Record<string, unknown>>;
      return [{ text: String(text), settings: JSON.stringify([settings, call.headers?.model]) }];
    });
    const pairs = spoken.flatMap((one) =>
      spoken.filter((other) => other.settings === one.settings && other.text.length > 3 * one.text.length),
    );
    expect(pairs).not.toEqual([]);
  });

  test('tries a bad key on a voice model that it has made, where the key alone decides', () => {
    const kept = plan.chosen.find(({ name }) => name === 'voice-kept')?.steps ?? [];
    expect(kept.filter(isAboutTheKey).map(operationOf)).toEqual(['getModel', 'updateModel', 'deleteModel']);
  });

  test('has each relation between answers that a rule judges, and a whole live session', () => {
    const relations = steps.flatMap(({ groups = [] }) => groups.map(({ relation }) => relation));
    const judged = ['encodings', 'trace', 'pages', 'voice', 'speech'];
    expect(relations).toEqual(expect.arrayContaining(judged));
    const whole = ['live-session', 'speech-against-itself', 'voice-kept', 'stream-encodings'];
    expect(names).toEqual(expect.arrayContaining(whole));
  });
});

test('the form of a bad key changes with the seed, so that every operation gets each form by some seed', () => {
  const forms = [1, 2, 3, 4, 5].map((seed) =>
    planFor({ seed })
      .chosen.map(({ name }) => name)
      .find((name) => name.startsWith('key-') && name.endsWith('-getPackage')),
  );
  expect(new Set(forms).size).toBe(5);
});

describe('all scenarios', () => {
  const all = scenariosFor(7);

  test('have unique names, and so have their steps', () => {
    for (const named of [all, all.flatMap(({ steps }) => steps)]) {
      const names = named.map(({ name }) => name);
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    }
  });

  test('fit a thorough run, but for a text and a recording that are longer than any', () => {
    const plan = planFor({ budget: thoroughBudget, seed: 7 });
    expect(plan.leftOut.map(({ scenario: { name } }) => name)).toEqual([
      'rule-text-length',
      'transcription-longest',
    ]);
  });
});
