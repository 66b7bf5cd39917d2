import { isDeepStrictEqual } from 'node:util';
import { type OperationId, operationTable, requestFields, synthesisRanges } from '@speech-api/types';
import { describe, expect, test } from 'vitest';
import { isAboutTheKey } from '../specification/rules.ts';
import { costOf, operationsOf, scenarios } from './choose.ts';
import { refused, speak } from './scenarios/making.ts';
import { pretended, type Step } from './step.ts';
import { planFor } from './verify.ts';

const namesOf = (options: Parameters<typeof planFor>[0]) =>
  planFor({ firstCall: false, ...options }).chosen.map(({ name }) => name);

describe('a run', () => {
  test('plays the scenarios in their order, all that fit the limits but two', () => {
    const { chosen, leftOut } = planFor({});
    const tooLarge = ['rule-text-length', 'transcription-longest'];
    expect(leftOut.map(({ scenario }) => scenario.name)).toEqual(tooLarge);
    const expected = scenarios.map(({ name }) => name).filter((name) => !tooLarge.includes(name));
    expect(chosen.map(({ name }) => name)).toEqual(expected);
  });

  test.each([
    ['calls', 7, '--max-calls 7'],
    ['characters', 500, '--max-characters 500'],
    ['audioSeconds', 20, '--max-audio-seconds 20'],
  ] as const)('costs what it says, at most so many %s', (what, limit, option) => {
    const { cost, leftOut } = planFor({ limits: { [what]: limit } });
    expect(cost[what]).toBeLessThanOrEqual(limit);
    expect(leftOut.map(({ reason }) => reason)).toContain(`it did not fit ${option}`);
  });

  test('counts the text of a request by code points, also where it should be refused', () => {
    const expectation = refused('it is too long', 'text-too-long');
    expect(costOf(speak('long', { text: '声🚢'.repeat(500) }, { expectation })).characters).toBe(1000);
  });

  test('changes nothing when it may only read', () => {
    const called = planFor({ readOnly: true }).chosen.flatMap(operationsOf);
    expect(called.filter((id) => /^(create|update|delete)Model$/.test(id))).toEqual([]);
    expect(namesOf({ readOnly: true })).toContain('voice-read-and-used');
  });

  test('spares a server without state what only state can answer', () => {
    expect(namesOf({ profile: 'stateless' })).not.toContain('key-unknown-createSpeech');
    expect(namesOf({ profile: 'stateless' })).toContain('key-missing-createSpeech');
  });

  test('calls only some operations, or all but some', () => {
    const { chosen } = planFor({ operations: ['listModels', 'createSpeech'] });
    const called = new Set(chosen.flatMap(operationsOf));
    expect([...called].sort()).toEqual(['createSpeech', 'listModels']);
    const names = namesOf({ except: ['getApiCredit', 'getPackage'] });
    expect(names.filter((name) => /wallet|getApiCredit|getPackage/.test(name))).toEqual([]);
    expect(names).toContain('voice-kept');
  });

  test.each([
    ['speech-encodings', ['speech-encodings']],
    ['createSpeech, as MessagePack', ['speech-encodings']],
    ['live-t*', ['live-trace', 'live-text-before-start']],
  ])('takes %s, a name that a report prints or the beginning of one', (name, names) => {
    expect(namesOf({ only: [name] })).toEqual(names);
  });
});

test('every field that the interface names is sent, and none that public documentation alone names', () => {
  const steps = planFor({}).chosen.flatMap((scenario) => scenario.steps);
  const sent = (id: OperationId) =>
    steps
      .filter(({ expectation }) => expectation.outcome === 'success')
      .flatMap((step) =>
        step.kind === 'call' && step.operationId === id ? [step.call(pretended).fields] : [],
      )
      .flatMap((fields) => Object.keys(fields ?? {}));
  expect(new Set(sent('createSpeech'))).toEqual(new Set(requestFields.SynthesisRequest));
  const transcribed = sent('createTranscription');
  expect(transcribed).toEqual(expect.arrayContaining(['audio', 'ignore_timestamps', 'language']));
  expect(transcribed).not.toContain('diarize');
});

describe('a quick run', () => {
  const plan = planFor({ quick: true });
  const steps = plan.chosen.flatMap((scenario) => scenario.steps);
  const operationOf = ({ operationId }: Step) => operationId;
  const operationIds = Object.keys(operationTable).sort();
  const names = plan.chosen.map(({ name }) => name);
  test('is about a quarter of all calls', () => {
    expect(plan.cost.calls).toBeLessThan(planFor({}).cost.calls / 3);
  });

  test('speaks two texts with nothing else different, so that one audio for all of them shows', () => {
    const spoken = steps.flatMap((step) => {
      if (step.kind === 'live' || step.operationId !== 'createSpeech') return [];
      const { fields, headers } = step.call(pretended);
      return step.expectation.outcome === 'success'
        ? [{ ...fields, text: '', of: fields?.text, headers }]
        : [];
    });
    const pairs = spoken.flatMap(({ of: short, ...one }) =>
      spoken.filter(({ of: long, ...other }) => isDeepStrictEqual(one, other) && long !== short),
    );
    expect(pairs).not.toEqual([]);
  });

  test('tries a bad key on the voice model that it has made, where the key alone decides', () => {
    const { steps: kept = [] } = plan.chosen.find(({ name }) => name === 'voice-kept') ?? {};
    const tried = kept.filter(({ expectation }) => isAboutTheKey(expectation));
    const paths = tried.map((step) => step.kind === 'call' && step.call(pretended).path);
    expect(paths).toEqual(Array(3).fill({ id: '<voice>' }));
  });

  test('succeeds in every operation, and sends each one a bad key', () => {
    const good = steps.filter(({ expectation }) => expectation.outcome === 'success').map(operationOf);
    const withBadKey = steps.filter(({ expectation }) => isAboutTheKey(expectation)).map(operationOf);
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

  test('has each relation between answers that a rule judges, and a whole live session', () => {
    const relations = steps.flatMap(({ groups = [] }) => groups.map(({ relation }) => relation));
    const judged = ['encodings', 'trace', 'pages', 'voice', 'speech'];
    expect(relations).toEqual(expect.arrayContaining(judged));
    const whole = ['live-session', 'speech-against-itself', 'voice-kept', 'stream-encodings'];
    expect(names).toEqual(expect.arrayContaining(whole));
  });
});

test('all scenarios have unique names, and so have their steps', () => {
  for (const named of [scenarios, scenarios.flatMap(({ steps }) => steps)]) {
    const names = named.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  }
});
