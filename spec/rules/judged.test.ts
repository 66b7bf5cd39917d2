import { describe, expect, it } from 'vitest';
import { type Provenance, problems, read, repeated, wrongProvenance } from './testing/data.ts';

interface JudgedRule {
  readonly id: string;
  readonly since: string;
  readonly provenance?: Provenance;
}

const files = ['answers', 'streams', 'relations'];
const rules = files.flatMap((file) => read<JudgedRule[]>(`rules/${file}.yaml`));

describe('the rules that answers are judged by', () => {
  it.each(files)('match their schema in %s.yaml', (file) => {
    const own = read<JudgedRule[]>(`rules/${file}.yaml`);
    expect(problems('rules/judged.schema.yaml', own)).toEqual([]);
    expect(problems('rules/judged.schema.yaml', [{ ...own[0], since: undefined }])).not.toEqual([]);
  });

  it('have an id each, over all files', () => {
    expect(repeated(rules.map(({ id }) => id))).toEqual([]);
  });

  it('have marks that name an entry of the register', () => {
    expect(wrongProvenance(rules.map(({ provenance }) => provenance))).toEqual([]);
  });

  it('came with no version that is yet to come', () => {
    const { version } = read<{ version: string }>('package.json');
    const newer = rules.filter(({ since }) => since.localeCompare(version, 'en', { numeric: true }) > 0);
    expect(newer.map(({ id }) => id)).toEqual([]);
  });
});

it('says why each thing it does not judge can not be judged', () => {
  const unjudged = read<object[]>('rules/unjudged.yaml');
  expect(problems('rules/unjudged.schema.yaml', unjudged)).toEqual([]);
  expect(problems('rules/unjudged.schema.yaml', [{ ...unjudged[0], reason: undefined }])).not.toEqual([]);
});
