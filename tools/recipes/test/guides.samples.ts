import { execFile, spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createSpeechClient } from '@speech-api/client';
import { startSandbox } from '@speech-api/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('../../../apps/docs/src/examples/', import.meta.url));
const temporary = fileURLToPath(new URL('../.temporary/guides/', import.meta.url));
const examples = globSync('*/*.sh', { cwd: folder }).sort();
const missingTools = ['bash', 'curl'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);

/** What examples read; said by the sandbox, so that it knows the words again. */
const recordings = {
  'ann.wav': { text: 'What Ann says in her sample.', format: 'wav' },
  'recording.mp3': { text: 'The last boat leaves at ten.', format: 'mp3' },
} as const;

let sandbox: Awaited<ReturnType<typeof startSandbox>> | undefined;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0 });
  rmSync(temporary, { recursive: true, force: true });
  mkdirSync(temporary, { recursive: true });
});

afterAll(async () => {
  await sandbox?.close();
  rmSync(temporary, { recursive: true, force: true });
});

// In CI nothing is left out: there a missing tool fails each of these.
describe.skipIf(missingTools.length > 0 && process.env.CI === undefined)(
  missingTools.length > 0
    ? `examples of the guides with curl (missing here: ${missingTools.join(', ')})`
    : 'examples of the guides with curl',
  () => {
    test.each(examples)('%s runs', async (file) => {
      const environment = {
        ...process.env,
        SPEECH_BASE_URL: sandbox?.url ?? '',
        SPEECH_API_KEY: 'sandbox-key',
      };
      const cwd = `${temporary}${file.replaceAll(/[/\\]/g, '-')}/`;
      mkdirSync(cwd, { recursive: true });
      const client = createSpeechClient({ baseUrl: environment.SPEECH_BASE_URL, apiKey: 'sandbox-key' });
      for (const [name, request] of Object.entries(recordings)) {
        writeFileSync(cwd + name, await (await client.speech.create(request)).bytes());
      }
      const code = `set -euo pipefail\n${readFileSync(folder + file, 'utf8')}`;
      const { stdout, stderr } = await run('bash', ['-c', code], { cwd, env: environment });
      expect(stderr).toBe('');
      const written = globSync('*', { cwd }).filter((name) => !(name in recordings));
      const sizes = written.map((name) => readFileSync(cwd + name).length);
      expect(stdout.length + sizes.reduce((sum, size) => sum + size, 0)).toBeGreaterThan(20);
    });
  },
);
