import { describe, expect, test } from 'vitest';
import { chapters, judge } from '../judge/judge.ts';
import type { Report } from '../judge/report.ts';
import { serviceRules } from '../specification/rules.ts';
import { examples } from '../testing/examples/index.ts';
import { relationChapter } from './relations.ts';

function countOf({ coverage }: Report, rule: string): { kept: number; broken: number } {
  const counts = coverage.cells.map(({ rules }) => rules[rule] ?? { kept: 0, broken: 0 });
  const sum = (name: 'kept' | 'broken') => counts.reduce((all, count) => all + count[name], 0);
  return { kept: sum('kept'), broken: sum('broken') };
}

describe.each(examples)('$rule $about', ({ rule, keeps, breaks, severity, options = {} }) => {
  test('is found kept where it is kept', async () => {
    const report = await judge(keeps, options);
    expect(report.findings.filter((finding) => finding.rule === rule)).toEqual([]);
    expect(countOf(report, rule).kept).toBeGreaterThan(0);
  });

  test('is found broken where it is broken, with its severity', async () => {
    const report = await judge(breaks, options);
    const findings = report.findings.filter((finding) => finding.rule === rule);
    expect(findings).not.toEqual([]);
    const stated = serviceRules().get(rule);
    expect(stated && findings.map(({ severity }) => severity)).toEqual(
      findings.map(() => severity ?? stated?.severity),
    );
    expect(findings.map(({ section }) => section)).toEqual(findings.map(() => stated?.section));
    const errors = report.findings.filter((finding) => finding.severity === 'error');
    const withoutSentence = errors.filter((finding) => serviceRules().get(finding.rule)?.quote === undefined);
    expect(withoutSentence).toEqual([]);
  });
});

test('the spec and the code have the same rules', () => {
  const coded = [...chapters, relationChapter].flatMap(({ ids }) => ids);
  expect(coded.sort()).toEqual([...serviceRules().keys()].sort());
});
