import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { asArray, asObject, isObject, SpecDocument } from '../read.ts';
import { readDocument } from '../test/documents.ts';
import { annotateOperations, titleSchemas } from './annotate.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const rules = JSON.parse(readFileSync(new URL('../dist/rules.json', import.meta.url), 'utf8'));

describe.each(['openapi.json', 'openapi-3.1.json'] as const)('the built document %s', (file) => {
  const document = new SpecDocument(readDocument(file));
  const operations = document.operations();

  test('has the version of this package beside that of the interface', () => {
    expect(document.objectAt('/info')).toMatchObject({ version: '1', 'x-specification-version': version });
  });

  test('has a title on each schema', () => {
    const untitled = Object.entries(document.objectAt('/components/schemas')).filter(
      ([, schema]) => !isObject(schema) || typeof schema.title !== 'string',
    );
    expect(untitled.map(([name]) => name)).toEqual([]);
  });

  test('names on each operation rules that there are, and every rule of one answer on some operation', () => {
    const named = new Set<string>();
    for (const { id, operation } of operations) {
      for (const [list, ids] of Object.entries(asObject(operation['x-rules']))) {
        for (const rule of asArray(ids)) named.add(`${list} ${rule}`);
        const known = asArray(rules[list]).map((rule) => String(asObject(rule).id));
        expect(known, `${id} ${list}`).toEqual(expect.arrayContaining(asArray(ids).map(String)));
      }
    }
    const lists = ['synthesis', 'answers', 'streams'];
    const unnamed = lists.flatMap((list) =>
      asArray(rules[list]).flatMap((rule) =>
        named.has(`${list} ${asObject(rule).id}`) ? [] : [asObject(rule).id],
      ),
    );
    expect(unnamed).toEqual([]);
  });

  test('gives an operation only the rules that are about it', () => {
    const ofOperation = (id: string) =>
      asObject(operations.find((one) => one.id === id)?.operation['x-rules']);
    expect(ofOperation('getPackage').synthesis).toBeUndefined();
    expect(ofOperation('getPackage').refusals).not.toContain('unknown-voice');
    expect(ofOperation('getPackage').streams).toBeUndefined();
    expect(ofOperation('createSpeech')).toMatchObject({
      synthesis: expect.arrayContaining(['sample-rate-of-mp3']),
      refusals: expect.arrayContaining(['unknown-voice']),
    });
    expect(ofOperation('openLiveSession').refusals).toContain('upgrade-required');
  });

  test('links answers to operations and parameters that there are', () => {
    const links = operations.flatMap(({ responses }) =>
      [...responses.values()].flatMap((response) =>
        Object.values(asObject(response.links)).map((link) => document.resolve(link)),
      ),
    );
    expect(links).toHaveLength(4);
    for (const { operationId, parameters } of links) {
      const target = operations.find(({ id }) => id === operationId);
      const names = target?.parameters.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(Object.keys(asObject(parameters))));
    }
  });
});

test('a rule about something unknown fails the build', async () => {
  const rule = { id: 'loud-enough', subject: 'loudness' };
  await expect(annotateOperations(readDocument('openapi.json'), { answers: [rule] })).rejects.toThrow(
    'does not know the subject loudness of the rule loud-enough',
  );
});

test('a title is made of the name, and a title that is written stays', () => {
  const schemas = { VoiceModelList: {}, ApiCredit: {}, Written: { title: 'By hand' } };
  expect(titleSchemas({ components: { schemas } })).toEqual({
    components: {
      schemas: {
        VoiceModelList: { title: 'Voice model list' },
        ApiCredit: { title: 'API credit' },
        Written: { title: 'By hand' },
      },
    },
  });
});
