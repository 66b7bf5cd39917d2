import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from './build/bundle.ts';
import { type JsonObject, valueAt } from './read.ts';
import { problems, read, repeated } from './rules/testing/data.ts';

interface Tolerance {
  readonly id: string;
  readonly pointer: string;
  readonly also?: readonly string[];
  readonly unknown?: string;
  readonly refused_by: 'schema' | 'rule' | 'unknown-voice';
  readonly rule?: string;
  readonly message: string;
  readonly examples: readonly { readonly given: Request; readonly becomes: Request }[];
}

interface Request {
  readonly headers?: { readonly [name: string]: string };
  readonly query?: string;
  readonly body?: JsonObject;
}

const tolerances = read<Tolerance[]>('tolerances.yaml');
let specification: JsonObject;

beforeAll(async () => {
  specification = await bundle('openapi.yaml');
}, 60_000);

describe('the tolerances', () => {
  test('match their schema and have unique ids', () => {
    expect(problems('tolerances.schema.yaml', tolerances)).toEqual([]);
    expect(problems('tolerances.schema.yaml', [{ ...tolerances[0], reason: '' }])).not.toEqual([]);
    expect(repeated(tolerances.map(({ id }) => id))).toEqual([]);
  });

  test('point into the specification', () => {
    for (const { id, pointer, also = [] } of tolerances) {
      for (const place of [pointer, ...also]) {
        expect(valueAt(specification, place), `${id}: ${place}`).toBeDefined();
      }
    }
  });

  test('name entries of the register, and rules that name them in turn', () => {
    const register = read<{ id: string }[]>('unknowns.yaml').map(({ id }) => id);
    const rules = read<{ id: string; tolerated_by?: string }[]>('rules/synthesis.yaml');
    for (const { id, unknown, rule } of tolerances) {
      if (unknown !== undefined) expect(register).toContain(unknown);
      if (rule !== undefined) expect(rules.find((other) => other.id === rule)?.tolerated_by).toBe(id);
    }
  });

  test('use placeholders that exist in their messages', () => {
    const names = tolerances.flatMap(({ message }) =>
      [...message.matchAll(/\{(\w*)\}/g)].map(([, name]) => name),
    );
    expect(names.filter((name) => !['field', 'value', 'meant'].includes(name ?? ''))).toEqual([]);
  });

  test('turn a synthesis request that breaks the schema into one that holds it', () => {
    const ajv = new Ajv2020({ strict: false });
    const validate = ajv.compile({
      components: specification.components,
      $ref: '#/components/schemas/SynthesisRequest',
    });
    const synthesis = tolerances
      .flatMap(({ id, refused_by, examples }) => examples.map((example) => ({ id, refused_by, ...example })))
      .filter(({ given }) => given.body !== undefined && 'text' in given.body);
    expect(synthesis.length).toBeGreaterThan(5);
    for (const { id, refused_by, given, becomes } of synthesis) {
      // A header or a rule is what is wrong where the bodies are the same.
      const bodyIsWrong =
        refused_by === 'schema' && JSON.stringify(given.body) !== JSON.stringify(becomes.body);
      expect(validate(given.body), `${id}, as it was sent`).toBe(!bodyIsWrong);
      expect(validate(becomes.body), `${id}, once normalised`).toBe(true);
    }
  });
});
