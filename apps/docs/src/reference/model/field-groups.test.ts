import { expect, test } from 'vitest';
import groups from '../field-groups.json' with { type: 'json' };
import { operations } from '../sidebar.ts';
import { groupFields } from './field-groups.ts';

const speaking = operations.filter(({ id }) => id === 'createSpeech' || id === 'streamSpeechWithTimestamps');

test('puts every field of a request to speak into exactly one group, text and voice first', () => {
  const named = groups.flatMap(({ fields }) => fields);
  expect(new Set(named).size).toBe(named.length);
  for (const { body } of speaking) {
    const [shape] = (body?.contents ?? []).map((content) => content.shape);
    const fields = [...(shape?.fields ?? []), ...(shape?.choices ?? []).flatMap((choice) => choice.fields)];
    expect(fields.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
    const [first] = groupFields(shape?.fields ?? [], 'body');
    expect(first?.fields.map(({ name }) => name)).toEqual(['text']);
  }
  expect(speaking).toHaveLength(2);
});

test('leaves other lists as they are, and names a field that was forgotten', () => {
  const field = (name: string) => ({ name }) as Parameters<typeof groupFields>[0][number];
  expect(groupFields([field('title'), field('text')], 'body')).toEqual([]);
  expect(() => groupFields(['text', 'format', 'pitch'].map(field), 'body')).toThrow('pitch');
});
