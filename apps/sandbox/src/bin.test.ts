import { exec } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createCommandRunner } from '@speech-api/server/testing';
import { afterEach, expect, test } from 'vitest';
import { loadSeed } from './seed.ts';

const program = fileURLToPath(new URL('bin.ts', import.meta.url));
const { runUntilUrl, killAll } = createCommandRunner(program);

afterEach(killAll);

test('prints its URL as the first and only line on stdout, answers, and ends cleanly on Ctrl-C', async () => {
  const { child, output, exited, url } = await runUntilUrl('--port', '0');
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await fetch(`${url}/__sandbox/health`)).status).toBe(200);
  child.kill('SIGINT');
  expect(await exited).toBe(0);
  expect(output.stdout).toBe(`${url}\n`);
  for (const { key } of loadSeed().accounts) expect(output.stderr).toContain(`  ${key} `);
  expect(output.stderr).toContain(`curl ${url}/v1/tts`);
  expect(output.stderr).toContain(`Its calls: ${url}/`);
  // The engine is still starting, and stops when the sandbox stops.
  expect(output.stderr).not.toContain('does not start');
});

test('greets with a command that speaks as it is', async () => {
  const { output, url } = await runUntilUrl('--port', '0', '--fault', 'GET /model status=500');
  await expect.poll(() => output.stderr).toContain('hello.mp3');
  const command = /curl .*\\\n.*/.exec(output.stderr)?.[0].replace('hello.mp3', '- | wc -c') ?? '';
  const { stdout } = await promisify(exec)(command);
  expect(Number(stdout)).toBeGreaterThan(5000);
  expect(output.stderr).toContain('GET /model status=500');
  expect((await fetch(`${url}/model`, { headers: { authorization: 'Bearer sandbox-key' } })).status).toBe(
    500,
  );
});
