import { expect, test } from 'vitest';
import { findBrokenRule } from './rules.ts';

// Each rule has requests that it accepts and refuses, which the end-to-end tests send to both servers.

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
