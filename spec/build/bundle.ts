import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { JsonObject } from '../read.ts';

const run = promisify(execFile);
const specification = fileURLToPath(new URL('..', import.meta.url));

/**
 * Joins a split OpenAPI or AsyncAPI document into one, with the bundler of the linter, so that both
 * understand references alike.
 *
 * @param root The root file, relative to the folder of the specification.
 * @throws When a reference leads nowhere; the message is that of the bundler.
 */
export async function bundle(root: string): Promise<JsonObject> {
  const folder = await mkdtemp(join(tmpdir(), 'speech-spec-'));
  const output = join(folder, 'bundle.json');
  try {
    await run(process.execPath, [redocly(), 'bundle', root, '--config', 'redocly.yaml', '--output', output], {
      cwd: specification,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    return JSON.parse(await readFile(output, 'utf8'));
  } catch (cause) {
    const words = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause);
    throw new Error(`${root} cannot be bundled:\n${words}`, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function redocly(): string {
  const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
  return join(manifest, '..', 'bin', 'cli.js');
}
