import { expect, test } from 'vitest';
import { markProvenance } from './mark-provenance.ts';

const assumed = { unknown: 'prosody-volume-unit', from: 'assumed' };
const mark = 'Not in the interface: [assumed](/docs/unknowns/#prosody-volume-unit)';

function described(node: object): unknown {
  return (markProvenance(node, '/docs/unknowns/') as { description?: unknown }).description;
}

test('adds a mark below the description it belongs to', () => {
  expect(described({ description: 'In decibels.\n', 'x-provenance': assumed })).toBe(
    `In decibels.\n\n${mark}`,
  );
});

test('stands alone where there is no description', () => {
  expect(described({ type: 'number', 'x-provenance': assumed })).toBe(mark);
});

test('leaves what the interface states as it is', () => {
  expect(described({ description: 'Text to speak.' })).toBe('Text to speak.');
});

test('names the members that are meant', () => {
  const of = ['default', 'responses/401', 'responses/429'];
  expect(described({ 'x-provenance': { ...assumed, of } })).toBe(
    'Not in the interface (default, responses 401, 429): [assumed](/docs/unknowns/#prosody-volume-unit)',
  );
});

test('says of a description that a part of it is meant', () => {
  expect(described({ description: 'One. Two.', 'x-provenance': { ...assumed, of: ['description'] } })).toBe(
    'One. Two.\n\nIn part not in the interface: [assumed](/docs/unknowns/#prosody-volume-unit)',
  );
});

test('puts the mark of a parameter and of its schema together', () => {
  const schema = { type: 'integer', 'x-provenance': { ...assumed, of: ['default'], from: 'public' } };
  const marked = markProvenance(
    { name: 'page_size', in: 'query', description: 'How many.', schema, 'x-provenance': assumed },
    '/docs/unknowns/',
  ) as { description: string; schema: object };
  expect(marked.description).toBe(
    `How many.\n\n${mark}\n\nNot in the interface (default): [publicly documented](/docs/unknowns/#prosody-volume-unit)`,
  );
  expect(marked.schema).not.toHaveProperty('description');
});

test('does not touch examples', () => {
  const example = { description: 'Mine.', 'x-provenance': assumed };
  expect(markProvenance({ example }, '/unknowns/')).toEqual({ example });
});
