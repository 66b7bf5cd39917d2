import { describe, expect, it } from 'vitest';
import { judge } from '../judge/judge.ts';
import type { Report } from '../judge/report.ts';
import { serviceRules, severityOf } from '../specification/judged-rules.ts';
import { answerExamples } from './testing/answer-examples.ts';
import { audioExamples } from './testing/audio-examples.ts';
import { fieldExamples } from './testing/field-examples.ts';
import { liveExamples } from './testing/live-examples.ts';
import { relationExamples } from './testing/relation-examples.ts';
import { streamExamples } from './testing/stream-examples.ts';
import { valueExamples } from './testing/value-examples.ts';

const examples = [
  ...answerExamples,
  ...fieldExamples,
  ...audioExamples,
  ...valueExamples,
  ...streamExamples,
  ...liveExamples,
  ...relationExamples,
];

function countOf({ coverage }: Report, rule: string): { kept: number; broken: number } {
  const counts = coverage.cells.map(({ rules }) => rules[rule] ?? { kept: 0, broken: 0 });
  const sum = (name: 'kept' | 'broken') => counts.reduce((all, count) => all + count[name], 0);
  return { kept: sum('kept'), broken: sum('broken') };
}

it('every rule has an example that keeps it and one that breaks it', () => {
  const shown = new Set(examples.map(({ rule }) => rule));
  expect([...serviceRules().keys()].filter((id) => !shown.has(id))).toEqual([]);
});

describe.each(examples)('$rule $about', ({ rule, keeps, breaks, options = {} }) => {
  it('is found kept where it is kept', async () => {
    const report = await judge(keeps, options);
    expect(report.findings.filter((finding) => finding.rule === rule)).toEqual([]);
    expect(countOf(report, rule).kept).toBeGreaterThan(0);
  });

  it('is found broken where it is broken, with its severity', async () => {
    const report = await judge(breaks, options);
    const found = report.findings.filter((finding) => finding.rule === rule);
    expect(found).not.toEqual([]);
    const stated = serviceRules().get(rule);
    expect(stated && found.map(({ severity }) => severity)).toEqual(
      stated && found.map(() => severityOf(stated)),
    );
    expect(found.map(({ section }) => section)).toEqual(found.map(() => stated?.section));
  });
});
