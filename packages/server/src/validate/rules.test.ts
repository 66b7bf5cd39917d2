import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { synthesisRules } from '@speech-api/types';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readOperations } from '../spec/operations.ts';
import { findBrokenRule } from './rules.ts';
import { createValidator } from './validator.ts';

interface Fixture {
  readonly rule: string;
  readonly situation: string;
  readonly model?: string;
  readonly request: Readonly<Record<string, unknown>>;
  readonly text_repeated?: { readonly unit: string; readonly times: number };
  readonly refused: boolean;
  readonly message_has?: readonly string[];
}

const spec = dirname(createRequire(import.meta.url).resolve('@speech-api/spec/package.json'));
const fixtures = parse(
  readFileSync(join(spec, 'rules/fixtures/synthesis.yaml'), 'utf8'),
) as readonly Fixture[];
const enforced = new Set(
  synthesisRules.filter((rule) => rule.enforced_by.includes('server')).map((rule) => rule.id),
);

function bodyOf(fixture: Fixture): Readonly<Record<string, unknown>> {
  const { text_repeated: repeated, request } = fixture;
  return repeated ? { ...request, text: repeated.unit.repeat(repeated.times) } : request;
}

function brokenBy(fixture: Fixture, skipped?: ReadonlySet<string>) {
  const subject = { body: bodyOf(fixture), model: fixture.model, operationId: 'createSpeech' };
  return findBrokenRule(subject, skipped);
}

test('has requests for every rule a server enforces', () => {
  const tested = new Set(fixtures.map((fixture) => fixture.rule));
  expect([...enforced].filter((id) => !tested.has(id))).toEqual([]);
});

test.each(fixtures.filter((fixture) => enforced.has(fixture.rule)))('$rule: $situation', (fixture) => {
  const broken = brokenBy(fixture);
  expect(broken?.rule.id).toBe(fixture.refused ? fixture.rule : undefined);
  for (const words of fixture.message_has ?? []) expect(broken?.message).toContain(words);
});

test.each(fixtures)('$rule: $situation: matches the schema', (fixture) => {
  const speech = readOperations().find((operation) => operation.id === 'createSpeech');
  if (!speech) throw new Error('the document has no createSpeech');
  const verdict = createValidator().validateBody(
    speech,
    'application/json',
    structuredClone(bodyOf(fixture)),
    'json',
  );
  expect(verdict).toMatchObject({ valid: true });
});

test('leaves nothing of a template in a message', () => {
  for (const fixture of fixtures) expect(brokenBy(fixture)?.message ?? '').not.toMatch(/\{\w+\}/);
});

test('skips a rule whose tolerance is accepted', () => {
  const subject = {
    body: { text: 'a', reference_id: ['x'] },
    model: 's2.1-pro',
    operationId: 'createSpeech',
  };
  expect(findBrokenRule(subject)?.rule.tolerated_by).toBe('dialogue-on-later-models');
  expect(findBrokenRule(subject, new Set(['dialogue-on-later-models']))).toBeUndefined();
});

test('counts code points, not UTF-16 units', () => {
  const longest = '😀'.repeat(100_000);
  const subject = (text: string) => ({ body: { text }, model: 's2-pro', operationId: 'createSpeech' });
  expect(findBrokenRule(subject(longest))).toBeUndefined();
  expect(findBrokenRule(subject(`${longest}😀`))?.rule.id).toBe('text-length');
});

test('asks a rule of its operations only: a live session may open with an empty text', () => {
  const subject = { body: { text: '' }, model: 's2-pro' };
  expect(findBrokenRule({ ...subject, operationId: 'createSpeech' })?.rule.id).toBe('text-not-empty');
  expect(findBrokenRule({ ...subject, operationId: 'openLiveSession' })).toBeUndefined();
});
