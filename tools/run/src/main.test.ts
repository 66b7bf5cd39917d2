import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { helpFor } from '../help.mjs';
import { demo } from './demo.ts';
import { showNote } from './processes.ts';
import { readResults } from './test.ts';

test('the root scripts load in a clone where nothing is built yet', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const programs = globSync('*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'));
  expect(programs).toContain('start.ts');
  // A package of this repository is a build, so only its types may be imported before the build has run.
  const early = programs.flatMap((file) =>
    [
      ...readFileSync(folder + file, 'utf8').matchAll(
        /^(?:import|export) (?!type\b|[\w ]*=|async|const|function)[^;(]*from '@speech-api\/.*$/gm,
      ),
    ].map(([line]) => `${file}: ${line}`),
  );
  expect(early).toEqual([]);
});

test('the README gets the code from the address in package.json', () => {
  const root = new URL('../../../', import.meta.url);
  const { repository } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
  expect(readFileSync(new URL('README.md', root), 'utf8')).toContain(`git clone ${repository.url} `);
});

test('npm start and npm run try show what the log of the sandbox notes, and none of its other lines', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const call = 'POST /v1/tts 200 12ms trace=0af7651916cd43dd8448eb211c80319c';
  showNote(call);
  showNote(`${call} note the model "s2-por" is unknown, s2-pro speaks`);
  expect(write.mock.calls).toEqual([['Sandbox: the model "s2-por" is unknown, s2-pro speaks\n']]);
});

test('what follows the file of npm run try is for the program, --help too', () => {
  expect(helpFor('try', ['--help'])).toContain('npm run try FILE');
  expect(helpFor('try', ['program.ts', '--help'])).toBeUndefined();
  expect(helpFor('registry', ['--port', '0', '--help'])).toContain('npm run registry');
});

test('npm run demo refuses an option that it does not have, instead of speaking its name', async () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  expect(await demo(['--voice', 'x'])).toBe(2);
  expect(String(write.mock.calls)).toMatch(/Unknown option '--voice'.*npm run demo/s);
});

test('the reports of all runners are added up, and what failed is named with the first line of its reason', () => {
  const passed = { status: 'passed', fullName: 'holds', failureMessages: [] };
  const failed = {
    status: 'failed',
    fullName: 'says so',
    failureMessages: ['Error: it did not\n    at a.ts:1'],
  };
  const report = (...testResults: object[]) => JSON.stringify({ testResults });
  const results = readResults([
    report({ name: 'a.test.ts', status: 'failed', message: '', assertionResults: [passed, failed] }),
    report(
      { name: 'b.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
      { name: 'c.test.ts', status: 'passed', assertionResults: [passed, { ...passed, status: 'todo' }] },
    ),
  ]);
  expect(results.tally).toEqual({ passed: 2, failed: 2, skipped: 1 });
  expect(results.failures).toEqual([
    'a.test.ts > says so: Error: it did not',
    'b.test.ts > the file itself: Cannot find module',
  ]);
});
