import { describe, expect, test } from 'vitest';
import { readData } from './build/data.ts';
import { rulesByEntry } from './lint/register.ts';
import { problems, read, repeated } from './rules/testing/data.ts';

interface Entry {
  readonly id: string;
  readonly kind: 'blank' | 'contradiction' | 'addition';
  readonly statement?: string;
  readonly statements?: readonly { readonly text: string }[];
  readonly rules?: readonly string[];
}

/** The interface has this many statements that end in "not shown". Fewer here means that one was forgotten. */
const blankStatements = 26;

/** Statements with several blanks, and the number of their blanks. */
const severalBlanks: { readonly [beginning: string]: number } = {
  'Training process and lifecycle': 2,
  'Range and unit of volume, and the effect of normalize_loudness': 3,
  'Allowed values of package type and billing_period, and the contents of scheduled_change': 3,
  'Unit and precision of credit': 2,
  'Content type of the success response and whether the body is delivered incrementally': 2,
  'Request and response shapes of POST /model': 2,
  'Success body of PATCH and DELETE': 2,
  'Messages, parameters and framing': 3,
  'How API keys are created and whether keys have scopes': 2,
  'Which users may read, update or delete which voice models, and read the wallet': 4,
  'Webhooks or other outbound notifications': 2,
  'Values of `type` and the texts of `message`': 2,
  'Rate limits and quotas': 2,
  'Maximum text length and maximum request size': 2,
  'Deprecation policy and schedule': 2,
};

const entries = read<Entry[]>('unknowns.yaml');
const blanks = entries.filter(({ kind }) => kind === 'blank');
// The lint rule provenance-pointers.ts checks that pointers lead to marks of their entries, and that every mark has a pointer.

describe('the register of unknowns', () => {
  test('points to every rule that names an entry; if not, run `node lint/write-pointers.ts` after a build', async () => {
    const lists = (await readData())['rules.json'] as unknown as Parameters<typeof rulesByEntry>[0];
    const pointed = entries.flatMap(({ id, rules }) => (rules ? [[id, rules]] : []));
    expect(Object.fromEntries(pointed)).toEqual(Object.fromEntries(rulesByEntry(lists)));
  });

  test('matches its schema and has unique ids', () => {
    expect(problems('unknowns.schema.yaml', entries)).toEqual([]);
    expect(problems('unknowns.schema.yaml', [{ ...entries[0], settle: undefined }])).not.toEqual([]);
    expect(repeated(entries.map(({ id }) => id))).toEqual([]);
  });

  test('has every statement of the interface that something is not shown', () => {
    expect(new Set(blanks.map(({ statement }) => statement)).size).toBe(blankStatements);
  });

  test('has one entry for each blank of a statement that holds several', () => {
    for (const statement of new Set(blanks.map((entry) => entry.statement ?? ''))) {
      const [, count = 1] =
        Object.entries(severalBlanks).find(([beginning]) => statement.startsWith(beginning)) ?? [];
      expect(
        blanks.filter((entry) => entry.statement === statement),
        statement,
      ).toHaveLength(count);
    }
  });

  test('has two different sentences for a contradiction', () => {
    for (const { id, kind, statements } of entries) {
      if (kind !== 'contradiction') continue;
      expect(new Set(statements?.map(({ text }) => text)).size, id).toBe(2);
    }
  });
});
