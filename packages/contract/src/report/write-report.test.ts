import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { judge } from '../judge/judge.ts';
import type { Report } from '../judge/report.ts';
import { operations } from '../specification/document.ts';
import { credit, exchange, page, voiceModel } from '../testing/exchanges.ts';
import { writeReport } from './write-report.ts';

/** A server's text that tries to act as markup or commands. */
const hostile = '\u001b[31m]]>\r\n::error::gotcha%0A<b a="1">&amp;\u0000\u202e\ud800\uffff';

let report: Report;

beforeAll(async () => {
  report = await judge([
    exchange('listModels', {
      name: `list ${hostile}`,
      body: page(['v1'], { items: [voiceModel({ state: hostile, [hostile]: 1 })] }),
    }),
    exchange('getApiCredit', { body: credit({ credit: hostile, user_id: 7 }) }),
    exchange('getApiCredit', { body: credit(), headers: { 'content-type': 'text/plain' } }),
  ]);
});

const visibleText = /^[^\p{Cc}\p{Cf}\p{Cs}]*$/u;

test.each(['summary', 'junit', 'github'] as const)(
  'a report shows what directs a terminal as text: %s',
  (format) => {
    for (const line of writeReport(format, report).split('\n')) expect(line).toMatch(visibleText);
  },
);

describe('JUnit', () => {
  test('is well-formed, whatever a server says', () => {
    const text = writeReport('junit', report);
    const open: string[] = [];
    const tags = /<(\/?)([\w?-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?|\?)>|[<>]/g;
    for (const [all, closing, name, , selfClosing] of text.matchAll(tags)) {
      expect(name, `"${all}" is not a tag`).toBeDefined();
      if (closing === '/') expect(open.pop()).toBe(name);
      else if (selfClosing === '' && name !== undefined) open.push(name);
    }
    expect(open).toEqual([]);
    expect(text.replace(/&(?:amp|lt|gt|quot|apos);/g, '')).not.toContain('&');
  });

  test('fails the cases of errors, tells warnings and drift, and skips what was not covered', () => {
    const text = writeReport('junit', report);
    expect(text).toMatch(/name="field-type">\s*<failure type="error"/);
    expect(text).toMatch(/name="credit-is-decimal">\s*<system-out>/);
    expect(text).toMatch(/name="coverage: operation"><skipped/);
    expect(text).toContain('<testcase classname="speech-contract.getApiCredit" name="field-present"/>');
    expect(writeReport('junit', report, { failOn: 'warning' })).toMatch(
      /credit-is-decimal">\s*<failure type="warning"/,
    );
  });

  test('counts what it holds', () => {
    const text = writeReport('junit', report);
    const [, tests, failures, skipped] =
      /<testsuites [^>]*tests="(\d+)" failures="(\d+)" skipped="(\d+)"/.exec(text) ?? [];
    expect(Number(tests)).toBe(text.match(/<testcase /g)?.length);
    expect(Number(failures)).toBe(text.match(/<failure /g)?.length);
    expect(Number(skipped)).toBe(text.match(/<skipped /g)?.length);
  });
});

test('annotations have one command per finding, and no answer can begin another one', () => {
  const lines = writeReport('github', report).trimEnd().split('\n');
  const counting = report.findings.filter(({ severity }) => severity !== 'drift');
  expect(lines).toHaveLength(counting.length + 1);
  for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) title=[^:,]*(\([^:,]*\))?::/);
  expect(lines.at(-1)).toContain('::notice title=drift::2 addition');
});

describe('reports of what was seen several times and in another order', () => {
  test('have one annotation for a rule and place, with the number of the others', async () => {
    const several = await judge(
      ['one', 'two', 'three'].map((name) => exchange('getApiCredit', { name, body: credit({ user_id: 7 }) })),
    );
    const lines = writeReport('github', several).trimEnd().split('\n');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^::error .*one: .*, and 2 more like it$/);
  });

  test('list operations and statuses in the order of the document', async () => {
    const { coverage, ...rest } = await judge([
      exchange('getApiCredit', { body: credit(), status: 500 }),
      exchange('getApiCredit', { body: credit() }),
      exchange('listModels', { body: page([]) }),
    ]);
    expect(coverage.cells.map(({ operationId, status }) => [operationId, status])).toEqual([
      ['listModels', 200],
      ['getApiCredit', 200],
      ['getApiCredit', 500],
    ]);
    const suites = writeReport('junit', { coverage, ...rest }).matchAll(/<testsuite name="(\w+)"/g);
    expect([...suites].map(([, name]) => name)).toEqual([...operations().keys()]);
  });

  test('tell what is not fully covered from what is broken', async () => {
    const pass = await judge([exchange('getApiCredit', { body: credit() })]);
    const verdictOf = (from: Report, strictness = {}) =>
      (JSON.parse(writeReport('json', from, strictness)) as { verdict: string }).verdict;
    expect(verdictOf(pass)).toBe('kept');
    expect(verdictOf(pass, { requireFull: true })).toBe('not fully covered');
    expect(verdictOf(report, { requireFull: true })).toBe('broken');
    expect(writeReport('github', pass, { requireFull: true })).toMatch(/^::error title=not fully covered::/);
    expect(writeReport('summary', pass, { requireFull: true })).toContain('and not fully covered');
  });
});

describe('JSON', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../report.schema.json', import.meta.url), 'utf8'),
  ) as object;
  const isReport = new Ajv2020({ strict: true }).compile(schema);

  test('keeps its published schema', () => {
    const written = JSON.parse(writeReport('json', report)) as { findings: object[]; counts: object };
    expect(isReport(written), JSON.stringify(isReport.errors)).toBe(true);
    expect(isReport({ ...written, findings: [{}] })).toBe(false);
  });

  test('has drift beside the findings', () => {
    const { findings, drift, counts, verdict } = JSON.parse(writeReport('json', report)) as {
      findings: { severity: string }[];
      drift: { rule: string }[];
      counts: Record<string, number>;
      verdict: string;
    };
    expect(findings.map(({ severity }) => severity)).not.toContain('drift');
    expect(drift.map(({ rule }) => rule)).toEqual(['listed-values', 'field-known']);
    expect(counts).toMatchObject({ errors: 1, warnings: 2, drift: 2, known: 0, exchanges: 3 });
    expect(verdict).toBe('broken');
  });
});

describe('the summary', () => {
  test('counts only what says the same, and repeats a call that a shell can make', async () => {
    const called = (mediaType: string, size = 2) => {
      const { request, ...rest } = exchange('getApiCredit', { name: mediaType, body: credit() });
      const headers = { ...request.headers, 'content-type': 'application/json' };
      return {
        ...rest,
        request: { ...request, headers, body: Buffer.from('{}'.padEnd(size)) },
        response: { ...rest.response, headers: { 'content-type': mediaType } },
      };
    };
    const report = await judge([called('audio/mp3', 5000), called('audio/x-wav'), called('audio/x-wav')]);
    const text = writeReport('summary', report);
    expect(text).toMatch(/content-type is "audio\/mp3", not .*[^)]\n/);
    expect(text).toMatch(/content-type is "audio\/x-wav", not .* \(2 times\)\n/);
    expect(text).not.toContain('(3 times)');
    expect(text).toMatch(/seen in: audio\/x-wav\n +curl -i /);
  });

  test('shows each place once, the way to repeat it, the coverage and the verdict', () => {
    const text = writeReport('summary', report);
    expect(text).toContain('Errors (1)');
    expect(text).toContain('field-type  getApiCredit  section 2');
    expect(text).toContain('-H "authorization: Bearer $SPEECH_API_KEY"');
    expect(text).toMatch(
      /listModels +200 +application\/json +1 +\d+\/\d+\n +broken: listed-values, field-known/,
    );
    expect(text).toMatch(/The contract is broken: 1 error, 2 warnings, 2 drift, 3 exchanges/);
  });
});
