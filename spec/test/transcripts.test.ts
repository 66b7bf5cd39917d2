import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Provenance, problems, read, repeated, wrongProvenance } from '../rules/testing/data.ts';
import { readDocument, schemaCompiler } from './documents.ts';

interface StreamRule {
  readonly id: string;
  readonly provenance?: Provenance;
}

const folder = new URL('../transcripts/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
const rules = read<StreamRule[]>('rules/streams.yaml');
const compile = schemaCompiler(readDocument('openapi.json'));

test('the stream rules match their schema, have unique ids, and marks that name an entry of the register', () => {
  expect(problems('rules/judged.schema.yaml', rules)).toEqual([]);
  const inferred = { ...rules[0], severity: 'error', provenance: { unknown: 'chunk-order', from: 'public' } };
  expect(problems('rules/judged.schema.yaml', [inferred])).not.toEqual([]);
  expect(repeated(rules.map(({ id }) => id))).toEqual([]);
  expect(wrongProvenance(rules.map(({ provenance }) => provenance))).toEqual([]);
});

describe.each(files)('%s', (file) => {
  const text = readFileSync(new URL(file, folder), 'utf8').trimEnd();
  const lines = text.split('\n').map((line) => JSON.parse(line));
  const [opening, ...pieces] = lines.slice(0, -1);

  test('matches the schema of transcripts, and its pieces are in the order of time', () => {
    expect(problems('transcripts/transcript.schema.yaml', lines)).toEqual([]);
    expect(problems('transcripts/transcript.schema.yaml', lines.slice(0, -1))).not.toEqual([]);
    const times = pieces.map(([milliseconds]) => milliseconds);
    expect(times).toEqual([...times].sort((first, second) => first - second));
  });

  test('asks and answers as the specification says, and breaks only rules that there are', () => {
    expect(compile('/components/schemas/SynthesisRequest')(opening.request.body)).toBe(true);
    const body = Buffer.concat(pieces.map(([, base64]) => Buffer.from(base64, 'base64'))).toString('utf8');
    // Text after the last blank line is not an event.
    const payloads = [...body.matchAll(/^data: (\{.*\})\n\n/gm)].map(([, json = '']) => JSON.parse(json));
    expect(payloads).not.toEqual([]);
    const isEvent = compile('/components/schemas/SpeechStreamEvent');
    for (const payload of payloads) expect(isEvent(payload)).toBe(true);
    expect(rules.map(({ id }) => id)).toEqual(expect.arrayContaining(opening.breaks));
  });
});
