import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import workflowsByName from '@speech-api/spec/workflows.json' with { type: 'json' };
import { expect, onTestFinished, test } from 'vitest';
import { sandboxKey, useSandbox } from './testing/use-sandbox.ts';

// The workflows of the specification as other teams play them: by redocly respect, against a server that keeps its word.
// It judges status, media type and schema of each answer by the document besides what a workflow expects.

const run = promisify(execFile);
const sandbox = useSandbox();
const documents = Object.entries(workflowsByName).map(([name, { workflows }]) => ({
  name,
  workflowIds: workflows.map(({ workflowId }) => workflowId),
}));

interface Report {
  readonly status: string;
  readonly files: Record<
    string,
    { readonly executedWorkflows: readonly { readonly workflowId: string; readonly status: string }[] }
  >;
}

interface Played {
  readonly report: Report;
  readonly words: string;
}

async function play(name: string, key: string): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), 'speech-workflows-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const speech = await sandbox.client().speech.create({ text: 'Hello there.', mp3_bitrate: 64 });
  const recording = Buffer.from(await speech.bytes()).toString('base64');
  const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
  const output = join(folder, 'report.json');
  const { stdout, stderr } = await run(
    process.execPath,
    [
      join(manifest, '..', 'bin', 'cli.js'),
      ...['respect', fileURLToPath(import.meta.resolve(`@speech-api/spec/${name}.arazzo.json`))],
      ...['--server', `speech=${sandbox.url}`, '--input', JSON.stringify({ key, recording })],
      ...['--json-output', output],
    ],
    {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      maxBuffer: 16 * 2 ** 20,
    },
    // A workflow that fails is an exit code; what failed stands in the report.
  ).catch((error: { stdout: string; stderr: string }) => error);
  return { report: JSON.parse(readFileSync(output, 'utf8')), words: stdout + stderr };
}

test.each(documents)('redocly respect plays $name through', async ({ name, workflowIds }) => {
  const { report, words } = await play(name, sandboxKey);
  expect(report.status, words).toBe('success');
  const played = Object.values(report.files).flatMap(({ executedWorkflows }) => executedWorkflows);
  expect(played.map(({ workflowId, status }) => [workflowId, status])).toEqual(
    workflowIds.map((workflowId) => [workflowId, 'success']),
  );
});

test('a workflow fails where the server does not do as it expects', async () => {
  const { report, words } = await play('list-voices', 'no-such-key');
  expect(report.status).toBe('error');
  expect(words).toContain('$statusCode == 200');
});
