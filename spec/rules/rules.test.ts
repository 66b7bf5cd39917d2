import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../build/bundle.ts';
import { readData } from '../build/data.ts';
import { withSampleRates } from '../build/sample-rates.ts';
import { type Provenance, problems, read, repeated, wrongProvenance } from './testing/data.ts';

interface Rule {
  readonly id: string;
  readonly field: string;
  readonly applies_to?: readonly string[];
  readonly when: readonly Condition[];
  readonly require: readonly Condition[];
  readonly message: string;
  readonly tolerated_by?: string;
  readonly refusal?: string;
  readonly effect: 'refuse' | 'ignore';
  readonly provenance?: Provenance;
}

interface Condition {
  readonly at: string;
  readonly in?: readonly unknown[];
  readonly code_points_at_most?: number;
}

interface Fixture {
  readonly rule: string;
  readonly situation: string;
  readonly request: { readonly format?: string };
  readonly refused: boolean;
  readonly ignored?: readonly string[];
}

interface Refusal {
  readonly id: string;
  readonly status: number;
  readonly body: 'general' | 'validation';
  readonly stage: 'head' | 'body' | 'content' | 'work';
  readonly applies_to?: readonly string[];
  readonly provenance: Provenance;
}

interface Specification {
  readonly paths: {
    readonly [path: string]: {
      readonly [method: string]: { readonly operationId?: string; readonly responses?: object };
    };
  };
  readonly components: {
    readonly schemas: { readonly [name: string]: Schema };
  };
}

interface Schema {
  readonly default?: unknown;
  readonly properties?: { readonly [name: string]: Schema };
  readonly 'x-audio-formats'?: { readonly [format: string]: { readonly sampleRates: readonly number[] } };
  readonly 'x-limits'?: { readonly codePoints?: { readonly maximum: number } };
}

const built = (await readData())['rules.json'] as unknown as { readonly synthesis: readonly Rule[] };
const rules = built.synthesis;
const fixtures = read<Fixture[]>('rules/fixtures/synthesis.yaml');
const refusals = read<Refusal[]>('rules/refusals.yaml');
let specification: Specification;
let operations: Map<string, object>;

beforeAll(async () => {
  specification = (await bundle('openapi.yaml')) as unknown as Specification;
  operations = new Map(
    Object.values(specification.paths)
      .flatMap((path) => Object.values(path))
      .flatMap(({ operationId, responses }) => (operationId ? [[operationId, responses ?? {}]] : [])),
  );
}, 60_000);

describe('the synthesis rules', () => {
  test('match their schema', () => {
    expect(problems('rules/synthesis.schema.yaml', read('rules/synthesis.yaml'))).toEqual([]);
    expect(problems('rules/synthesis.schema.yaml', rules)).toEqual([]);
    expect(problems('rules/synthesis.schema.yaml', [{ ...rules[0], message: undefined }])).not.toEqual([]);
    expect(problems('rules/synthesis.schema.yaml', [{ ...rules[0], enforced_by: ['client'] }])).not.toEqual(
      [],
    );
  });

  test('have an id each, and marks that name an entry of the register', () => {
    expect(repeated(rules.map(({ id }) => id))).toEqual([]);
    expect(wrongProvenance(rules.map(({ provenance }) => provenance))).toEqual([]);
  });

  test('name refusals, tolerances and operations that exist', () => {
    const tolerances = read<{ id: string; rule?: string }[]>('tolerances.yaml');
    for (const rule of rules) {
      if (rule.effect === 'refuse') {
        expect(refusals.map(({ id }) => id)).toContain(rule.refusal ?? 'rule');
      }
      for (const operation of rule.applies_to ?? []) expect([...operations.keys()]).toContain(operation);
      if (rule.tolerated_by !== undefined) {
        expect(tolerances.find(({ id }) => id === rule.tolerated_by)?.rule).toBe(rule.id);
      }
    }
  });

  test('say in their message which field is meant, with placeholders that exist', () => {
    for (const { field, message } of rules) {
      expect(message).toContain(field.replace('header:', '').split('/').at(-1));
      for (const [, name] of message.matchAll(/\{(\w*)\}/g)) {
        expect(['value', 'field', 'allowed']).toContain(name);
      }
    }
  });

  test('allow the sample rates that the specification lists for each format', () => {
    const formats = specification.components.schemas.AudioFormat?.['x-audio-formats'] ?? {};
    expect(Object.keys(formats).sort()).toEqual(['mp3', 'opus', 'pcm', 'wav']);
    for (const [format, { sampleRates }] of Object.entries(formats)) {
      const rates = rules
        .filter(({ when }) => when.some(({ at, in: values }) => at === '/format' && values?.includes(format)))
        .flatMap(({ require }) => require.flatMap(({ in: values }) => values ?? []));
      expect(rates, format).toEqual(sampleRates);
    }
  });

  test('cannot ask for the rates of a format that does not exist', () => {
    const rule = { require: [{ at: '/sample_rate', in: { sample_rates_of: 'flac' } }] };
    expect(() => withSampleRates([rule], {})).toThrow('the sample rates of flac');
  });

  test('allow a text as long as the specification says', () => {
    const limit = specification.components.schemas.SynthesisSettings?.properties?.text?.['x-limits'];
    const rule = rules.find(({ id }) => id === 'text-length');
    expect(rule?.require[0]?.code_points_at_most).toBe(limit?.codePoints?.maximum);
  });
});

describe('the requests beside the synthesis rules', () => {
  test('match their schema', () => {
    expect(problems('rules/fixtures/synthesis.schema.yaml', fixtures)).toEqual([]);
  });

  test('show every rule kept, and broken where it can be', () => {
    for (const { id, effect } of rules) {
      const own = fixtures.filter(({ rule }) => rule === id);
      expect(
        own.some(({ refused, ignored }) => !refused && !ignored),
        `${id} kept`,
      ).toBe(true);
      const broken = own.some(({ refused, ignored }) => (effect === 'refuse' ? refused : ignored));
      expect(broken, `${id} broken`).toBe(true);
    }
  });

  // What each of them breaks, tools/e2e asks the client, both servers and the judge; these are refused by nobody.
  test('show a field ignored beside a format that it does not apply to', () => {
    const defaultFormat = specification.components.schemas.AudioFormat?.default;
    for (const { id, field, require } of rules.filter(({ effect }) => effect === 'ignore')) {
      for (const { rule, situation, request, ignored } of fixtures) {
        if (rule !== id) continue;
        const isApplied = require.some(({ in: values }) => values?.includes(request.format ?? defaultFormat));
        expect(ignored, `${id}: ${situation}`).toEqual(isApplied ? undefined : [field]);
      }
    }
  });

  test('match the schema of a synthesis request, so that they break only a rule', () => {
    const ajv = new Ajv2020({ strict: false });
    const validate = ajv.compile({
      components: specification.components,
      $ref: '#/components/schemas/SynthesisRequest',
    });
    for (const { request, rule, situation } of fixtures) {
      expect(validate(request), `${rule}: ${situation}`).toBe(true);
    }
    expect(validate({ text: 'Good morning.', temprature: 1 })).toBe(false);
  });
});

describe('the refusals', () => {
  test('match their schema', () => {
    expect(problems('rules/refusals.schema.yaml', refusals)).toEqual([]);
    expect(problems('rules/refusals.schema.yaml', [{ ...refusals[0], status: 418 }])).not.toEqual([]);
  });

  test('have an id each, and marks that name an entry of the register', () => {
    expect(repeated(refusals.map(({ id }) => id))).toEqual([]);
    expect(wrongProvenance(refusals.map(({ provenance }) => provenance))).toEqual([]);
  });

  test('check the path before the key, the key before the credit, the credit before the body', () => {
    const order = [
      ...[
        'unknown-path',
        'unknown-method',
        'key-missing',
        'key-unknown',
        'forbidden',
        'concurrency',
        'credit',
      ],
      ...['media-type', 'body-too-large', 'malformed-body', 'schema', 'rule'],
    ];
    const ids = refusals.map(({ id }) => id).filter((id) => order.includes(id));
    expect(ids).toEqual(order);
  });

  test('need the head before the body, the body before its content, and the work last', () => {
    const stages = ['head', 'body', 'content', 'work'];
    const places = refusals.map(({ stage }) => stages.indexOf(stage));
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  test('answer what breaks the schema with the validation list, and everything else with the general body', () => {
    for (const { status, body } of refusals) expect(body).toBe(status === 422 ? 'validation' : 'general');
  });
});

describe('the expression tags', () => {
  const groups =
    read<{ readonly tags: readonly string[]; readonly provenance: Provenance }[]>('rules/expressions.yaml');

  test('match their schema, are unique, and name an entry of the register', () => {
    expect(problems('rules/expressions.schema.yaml', groups)).toEqual([]);
    expect(problems('rules/expressions.schema.yaml', [{ ...groups[0], tags: ['Angry!'] }])).not.toEqual([]);
    expect(repeated(groups.flatMap(({ tags }) => tags))).toEqual([]);
    expect(wrongProvenance(groups.map(({ provenance }) => provenance))).toEqual([]);
  });
});
