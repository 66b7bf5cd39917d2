import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { needsState } from './testing/needs-state.ts';
import { serviceName } from './testing/service-name.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));
const code = globSync('*.test.ts', { cwd: folder })
  .map((file) => readFileSync(folder + file, 'utf8'))
  .join('\n');

// So that a run against the mock names what it leaves to the sandbox, one line each.
test.each(Object.entries(needsState))('%s: only the sandbox has %s', (name) => {
  const quoted = name.includes("'") ? `"${name}"` : `'${name}'`;
  expect(code).toContain(`testWithState(${quoted}`);
});

test('every test that is kept from a service is on the list', () => {
  expect(code.match(/testWithState\(\s*['"]/g)).toHaveLength(Object.keys(needsState).length);
  expect(code).not.toMatch(/\b(test|it|describe)\.(skip|todo|skipIf|runIf)\b/);
  expect(['sandbox', 'mock']).toContain(serviceName());
});
