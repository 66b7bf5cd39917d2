import { readFileSync } from 'node:fs';
import { DiagnosticSeverity, Parser } from '@asyncapi/parser';
import { validate as validate31 } from '@hyperjump/json-schema/openapi-3-1';
import { validate } from '@hyperjump/json-schema/openapi-3-2';
import { describe, expect, test } from 'vitest';
import { isObject } from '../read.ts';
import { find, readDocument, walk } from './documents.ts';

// `schema-base` also judges every schema inside the document by the dialect of its OpenAPI version.
const officialSchemas = [
  { file: 'openapi.json', schema: 'https://spec.openapis.org/oas/3.2/schema-base', judge: validate },
  { file: 'openapi-3.1.json', schema: 'https://spec.openapis.org/oas/3.1/schema-base', judge: validate31 },
] as const;

describe.each(officialSchemas)('the built document $file', ({ file, schema, judge }) => {
  test('is valid by the official schema of its version', async () => {
    const output = await judge(schema, JSON.parse(JSON.stringify(readDocument(file))), 'BASIC');
    expect(output).toMatchObject({ valid: true });
  });

  test('would be refused by that schema with a member too many', async () => {
    const output = await judge(
      schema,
      { ...JSON.parse(JSON.stringify(readDocument(file))), sevrers: [] },
      'BASIC',
    );
    expect(output.valid).toBe(false);
  });

  // express-openapi-validator refuses a document with a relative one.
  test('has absolute addresses of further documentation', () => {
    const addresses = [...walk(readDocument(file))].flatMap(([, { externalDocs }]) =>
      isObject(externalDocs) ? [String(externalDocs.url)] : [],
    );
    expect(addresses.length).toBeGreaterThan(1);
    for (const address of addresses) expect(URL.canParse(address), address).toBe(true);
  });

  test('is self-contained: every reference leads to a place inside it', () => {
    const document = readDocument(file);
    const references = [...walk(document)]
      .map(([, object]) => object.$ref)
      .filter((it) => typeof it === 'string');
    expect(references.length).toBeGreaterThan(100);
    for (const reference of references) {
      expect(reference).toMatch(/^#\//);
      expect(() => find(document, reference.slice(1))).not.toThrow();
    }
  });
});

describe('the built document asyncapi.json', () => {
  test('is valid for the AsyncAPI parser, and closes its requests in a way that AsyncAPI knows', async () => {
    const text = readFileSync(new URL('../dist/asyncapi.json', import.meta.url), 'utf8');
    const { diagnostics } = await new Parser().parse(text);
    expect(diagnostics.filter(({ severity }) => severity <= DiagnosticSeverity.Warning)).toEqual([]);
    expect(text).not.toContain('"unevaluatedProperties": false');
    expect(text.match(/"additionalProperties": false/g)?.length).toBeGreaterThanOrEqual(3);
  }, 60_000);
});
