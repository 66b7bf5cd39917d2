import type { CreateModelRequest } from '@speech-api/types';
import { expect, test } from 'vitest';
import { refuseBrokenModelRule } from './model-rules.ts';

const model: CreateModelRequest = {
  type: 'tts',
  title: 'a',
  train_mode: 'fast',
  voices: [Uint8Array.of(1)],
};

test.each([{ visibility: 'public' }, {}] as const)('needs a cover image for %j, which is public', (given) => {
  const broken = () => refuseBrokenModelRule({ ...model, ...given });
  expect(broken).toThrow(
    expect.objectContaining({ status: 400, message: expect.stringContaining('cover_image') }),
  );
  expect(() => refuseBrokenModelRule({ ...model, ...given, cover_image: Uint8Array.of(1) })).not.toThrow();
});

test.each(['unlist', 'private'] as const)('needs none for %s', (visibility) => {
  expect(() => refuseBrokenModelRule({ ...model, visibility })).not.toThrow();
});

test('allows as many texts as there are recordings, and no more', () => {
  const given = { ...model, visibility: 'private' as const };
  expect(() => refuseBrokenModelRule({ ...given, texts: ['a'] })).not.toThrow();
  expect(() => refuseBrokenModelRule({ ...given, voices: Uint8Array.of(1), texts: ['a'] })).not.toThrow();
  expect(() => refuseBrokenModelRule({ ...given, texts: ['a', 'b'] })).toThrow(
    expect.objectContaining({ status: 400, message: expect.stringContaining('texts has 2') }),
  );
});
