import { describe, expect, test } from 'vitest';
import { judge } from '../judge/judge.ts';
import type { Report } from '../judge/report.ts';
import type { Rules } from '../problem.ts';
import { serviceRules, severityOf } from '../specification/rules.ts';
import { examples } from '../testing/examples/index.ts';
import { audioRules } from './audio.ts';
import { deliveryRules } from './delivery.ts';
import { errorRules } from './errors.ts';
import { fieldRules } from './fields.ts';
import { liveRules } from './live.ts';
import { modelRules } from './models.ts';
import { outcomeRules } from './outcome.ts';
import { relationRules } from './relations.ts';
import { timestampRules } from './timestamps.ts';
import { transcriptionRules } from './transcription.ts';
import { walletRules } from './wallet.ts';

function countOf({ coverage }: Report, rule: string): { kept: number; broken: number } {
  const counts = coverage.cells.map(({ rules }) => rules[rule] ?? { kept: 0, broken: 0 });
  const sum = (name: 'kept' | 'broken') => counts.reduce((all, count) => all + count[name], 0);
  return { kept: sum('kept'), broken: sum('broken') };
}

test('every rule has an example that keeps it and one that breaks it', () => {
  const shown = new Set(examples.map(({ rule }) => rule));
  expect([...serviceRules().keys()].filter((id) => !shown.has(id))).toEqual([]);
});

describe.each(examples)('$rule $about', ({ rule, keeps, breaks, severity, options = {} }) => {
  test('is found kept where it is kept', async () => {
    const report = await judge(keeps, options);
    expect(report.findings.filter((finding) => finding.rule === rule)).toEqual([]);
    expect(countOf(report, rule).kept).toBeGreaterThan(0);
  });

  test('is found broken where it is broken, with its severity', async () => {
    const report = await judge(breaks, options);
    const found = report.findings.filter((finding) => finding.rule === rule);
    expect(found).not.toEqual([]);
    const stated = serviceRules().get(rule);
    const due = stated && severityOf(stated);
    expect(stated && found.map(({ severity }) => severity)).toEqual(found.map(() => severity ?? due));
    expect(found.map(({ section }) => section)).toEqual(found.map(() => stated?.section));
  });
});

const coded: Rules<never> = {
  ...outcomeRules,
  ...deliveryRules,
  ...errorRules,
  ...fieldRules,
  ...audioRules,
  ...transcriptionRules,
  ...modelRules,
  ...walletRules,
  ...timestampRules,
  ...liveRules,
  ...relationRules,
};

test('the spec and the code have the same rules', () => {
  expect(Object.keys(coded).sort()).toEqual([...serviceRules().keys()].sort());
});

const limited = [...serviceRules().values()].filter(({ limits }) => limits !== undefined);

test.each(limited)('the code of $id reads its limits and no other number decides', async ({ id }) => {
  const own = examples.filter(({ rule }) => rule === id);
  const read = new Set<string>();
  const watched = new Map(serviceRules());
  const rule = watched.get(id);
  if (rule === undefined) throw new TypeError(id);
  const limits = new Proxy(rule.limits ?? {}, {
    get: (target, name) => {
      read.add(String(name));
      return Reflect.get(target, name);
    },
  });
  watched.set(id, { ...rule, limits });
  for (const { keeps, breaks, options = {} } of own)
    for (const exchanges of [keeps, breaks]) await judge(exchanges, { ...options, rules: watched });
  expect([...read].sort()).toEqual(Object.keys(rule.limits ?? {}).sort());
});

test('a changed number changes what is found', async () => {
  const example = examples.find(({ rule }) => rule === 'transcription-duration');
  const rule = serviceRules().get('transcription-duration');
  if (example === undefined || rule === undefined) throw new TypeError('transcription-duration');
  const changed = { ...rule, limits: { ...rule.limits, tolerance_seconds: 1000 } };
  const findingsWith = async (one: typeof rule): Promise<number> => {
    const rules = new Map(serviceRules()).set(one.id, one);
    const { findings } = await judge(example.breaks, { rules });
    return findings.filter((finding) => finding.rule === one.id).length;
  };
  expect(await findingsWith(rule)).toBeGreaterThan(0);
  expect(await findingsWith(changed)).toBe(0);
});
