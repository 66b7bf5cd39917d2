import type { CreateModelRequest } from '@speech-api/types';
import { expect, test } from 'vitest';
import { refuseBrokenModelRule, refuseBrokenRule } from './check.ts';

// Each rule has requests that it accepts and refuses, which the end-to-end tests send to both servers.

const subject = { model: 's2-pro', operationId: 'createSpeech' };
const strict = { lenient: false };

test('a lenient server skips a rule that a tolerance names', () => {
  const body = { text: 'a', reference_id: ['x'] };
  const later = { ...subject, model: 's2.1-pro' };
  expect(() => refuseBrokenRule(body, later, strict)).toThrow('s2.1-pro cannot speak a dialogue');
  expect(() => refuseBrokenRule(body, later, { lenient: true })).not.toThrow();
});

test('counts code points, not UTF-16 units', () => {
  const longest = '😀'.repeat(100_000);
  expect(() => refuseBrokenRule({ text: longest }, subject, strict)).not.toThrow();
  expect(() => refuseBrokenRule({ text: `${longest}😀` }, subject, strict)).toThrow('longer than 100000');
});

const model: CreateModelRequest = { type: 'tts', title: 'a', train_mode: 'fast', voices: Uint8Array.of(1) };

test('needs a cover image for a voice model that is public, which it is unless it says otherwise', () => {
  for (const fields of [{ visibility: 'public' }, {}] as const) {
    expect(() => refuseBrokenModelRule({ ...model, ...fields })).toThrow('cover_image');
    expect(() => refuseBrokenModelRule({ ...model, ...fields, cover_image: Uint8Array.of(1) })).not.toThrow();
  }
  expect(() => refuseBrokenModelRule({ ...model, visibility: 'unlist' })).not.toThrow();
});

test('allows as many texts as there are recordings, and no more', () => {
  const fields = { ...model, visibility: 'private' as const };
  expect(() => refuseBrokenModelRule({ ...fields, texts: ['a'] })).not.toThrow();
  expect(() => refuseBrokenModelRule({ ...fields, texts: ['a', 'b'] })).toThrow('texts has 2');
});
