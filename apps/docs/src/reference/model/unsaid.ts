import type { Fact } from './page-model.ts';

const limits = ['Range', 'Limit', 'Entries', 'Length'];
const mebibyte = 1_048_576;

/** The facts that a description does not say already: a limit is said once. */
export function unsaid(description: string, facts: readonly Fact[]): readonly Fact[] {
  const said = numbersIn(description);
  return facts.filter(
    ({ label, words = '' }) =>
      !limits.includes(label) ||
      !numbersIn(words).every((number) => said.includes(number) || said.includes(number / mebibyte)),
  );
}

function numbersIn(text: string): number[] {
  const written = text.match(/-?\d+(?:[\u00a0 _]\d{3})*(?:\.\d+)?/g) ?? [];
  return written.map((number) => Number(number.replaceAll(/[\u00a0 _]/g, '')));
}
