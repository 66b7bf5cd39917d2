import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What axe finds wrong with a page as it is shown now: one line a rule and an element. */
export async function accessibilityProblems(page: Page, options: RunOptions = {}): Promise<string[]> {
  await page.evaluate(source);
  const results = await page.evaluate(
    (given) => (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(given),
    { resultTypes: ['violations'], ...options } satisfies RunOptions,
  );
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}
