import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { asObject, isObject } from '../read.ts';
import { readDocument } from './documents.ts';

const document = readDocument('openapi.json');

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
