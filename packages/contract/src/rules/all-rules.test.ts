import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { serviceRules } from '../specification/judged-rules.ts';
import * as lists from './all-rules.ts';

const bySubject: Readonly<Record<string, readonly { readonly id: string }[]>> = Object.fromEntries(
  Object.entries(lists).map(([name, rules]) => [name.replace(/Rules$/, ''), rules]),
);
const coded = Object.values(bySubject).flatMap((rules) => rules.map(({ id }) => id));

describe('the rules of the spec and their code', () => {
  it('have the same ids', () => {
    expect([...coded].sort()).toEqual([...serviceRules().keys()].sort());
  });

  it('have each id once', () => {
    expect(new Set(coded).size).toBe(coded.length);
  });

  it.each(Object.keys(bySubject))('are listed by their subject: %s', (subject) => {
    const stated = [...serviceRules().values()]
      .filter((rule) => rule.subject === subject)
      .map(({ id }) => id);
    expect(bySubject[subject]?.map(({ id }) => id)).toEqual(stated);
  });

  it.each(Object.keys(bySubject))('stand each in a file of its own name: %s', (subject) => {
    const files = readdirSync(new URL(`./${subject}/`, import.meta.url)).filter(
      (file) => !file.includes('.test.'),
    );
    const ids = bySubject[subject]?.map(({ id }) => `${id}.ts`) ?? [];
    expect(files.sort()).toEqual([...ids].sort());
  });
});
