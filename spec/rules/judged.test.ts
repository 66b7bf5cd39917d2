import { describe, expect, test } from 'vitest';
import { type Provenance, problems, read, repeated, wrongProvenance } from './testing/data.ts';

interface JudgedRule {
  readonly id: string;
  readonly since: string;
  readonly severity: 'error' | 'warning' | 'drift';
  readonly section: string;
  readonly quote?: string;
  readonly provenance?: Provenance;
}

const files = ['answers', 'streams', 'relations', 'requests'];
const rules = files.flatMap((file) => read<JudgedRule[]>(`rules/${file}.yaml`));

describe('the rules that answers are judged by', () => {
  test.each(files)('match their schema in %s.yaml', (file) => {
    const own = read<JudgedRule[]>(`rules/${file}.yaml`);
    expect(problems('rules/judged.schema.yaml', own)).toEqual([]);
    expect(problems('rules/judged.schema.yaml', [{ ...own[0], since: undefined }])).not.toEqual([]);
  });

  test('have an id each, over all files', () => {
    expect(repeated(rules.map(({ id }) => id))).toEqual([]);
  });

  test('have marks that name an entry of the register', () => {
    expect(wrongProvenance(rules.map(({ provenance }) => provenance))).toEqual([]);
  });

  test('came with no version that is yet to come', () => {
    const { version } = read<{ version: string }>('package.json');
    const newer = rules.filter(({ since }) => since.localeCompare(version, 'en', { numeric: true }) > 0);
    expect(newer.map(({ id }) => id)).toEqual([]);
  });
});

test('says why each thing it does not judge can not be judged', () => {
  const unjudged = read<object[]>('rules/unjudged.yaml');
  expect(problems('rules/unjudged.schema.yaml', unjudged)).toEqual([]);
  expect(problems('rules/unjudged.schema.yaml', [{ ...unjudged[0], reason: undefined }])).not.toEqual([]);
});

interface Statement {
  readonly section: string;
  readonly says: string;
  readonly rules?: readonly string[];
  readonly unjudged?: string;
  readonly reason?: string;
}

const statements = read<Statement[]>('rules/statements.yaml');

describe('the statements of the interface', () => {
  test('each name their rules, or the reason why none can judge them', () => {
    expect(problems('rules/statements.schema.yaml', statements)).toEqual([]);
    const [{ section, says }] = statements as [Statement];
    expect(problems('rules/statements.schema.yaml', [{ section, says }])).not.toEqual([]);
  });

  test('are there for every section, once each', () => {
    expect(new Set(statements.map(({ section }) => section[0]))).toEqual(new Set('123456789'));
    expect(repeated(statements.map(({ section, says }) => `${section} ${says}`))).toEqual([]);
  });

  test('name rules and reasons that exist', () => {
    const ids = rules.map(({ id }) => id);
    const named = statements.flatMap((statement) => statement.rules ?? []);
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
    const reasons = read<{ id: string }[]>('rules/unjudged.yaml').map(({ id }) => id);
    const unjudged = statements.flatMap((statement) => statement.unjudged ?? []);
    expect(unjudged.filter((id) => !reasons.includes(id))).toEqual([]);
  });

  test('are quoted word for word by every rule that is an error', () => {
    const quotes = rules.flatMap(({ id, quote }) => (quote === undefined ? [] : [{ id, quote }]));
    expect(quotes.length).toBeGreaterThan(20);
    const unknown = quotes.filter(({ quote }) => !statements.some(({ says }) => says.includes(quote)));
    expect(unknown).toEqual([]);
    const [first] = rules.filter(({ severity }) => severity === 'error');
    const without = Object.fromEntries(Object.entries(first ?? {}).filter(([name]) => name !== 'quote'));
    expect(problems('rules/judged.schema.yaml', [without])).not.toEqual([]);
  });
});
