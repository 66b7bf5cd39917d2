import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { asObject, isObject } from '../read.ts';
import { readDocument } from './documents.ts';

const root = parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'));
const document = readDocument('openapi.json');

describe('the root of the specification', () => {
  test('holds one reference a path and nothing else of it', () => {
    const items: unknown[] = Object.values(root.paths);
    expect(items.length).toBeGreaterThan(0);
    for (const item of items)
      expect(item).toEqual({ $ref: expect.stringMatching(/^paths\/[a-z-]+\/path\.yaml$/) });
  });

  test('holds references only among its components', () => {
    for (const kind of Object.values<object>(root.components)) {
      for (const component of Object.values(kind)) expect(Object.keys(component)).toEqual(['$ref']);
    }
  });
});

test('the built document has no component that nothing refers to', () => {
  const text = JSON.stringify(document);
  const unused = Object.entries(asObject(document.components))
    // A security scheme is named, not referred to.
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, components]) =>
      Object.keys(asObject(components)).map((name) => `#/components/${kind}/${name}`),
    )
    .filter((reference) => !text.includes(`{"$ref":"${reference}"}`));
  expect(unused).toEqual([]);
});

test('releases are marked as generated, so that reviewers may skip them', () => {
  const attributes = readFileSync(new URL('../../.gitattributes', import.meta.url), 'utf8').split('\n');
  expect(attributes).toContain('spec/releases/*.json linguist-generated=true');
});

describe.each(['schemas', 'responses', 'parameters', 'headers', 'requestBodies', 'examples', 'links'])(
  'the folder %s',
  (kind) => {
    test('has one file a component, named as the component is, and none that nothing refers to', () => {
      const files = readdirSync(new URL(`../${kind}/`, import.meta.url)).filter((file) =>
        file.endsWith('.yaml'),
      );
      const components = isObject(document.components) ? document.components[kind] : undefined;
      expect(files.sort()).toEqual(
        Object.keys(components ?? {})
          .map((name) => `${name}.yaml`)
          .sort(),
      );
    });
  },
);
