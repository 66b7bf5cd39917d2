import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Impact } from './impact.ts';
import type { JsonObject } from './json.ts';

const run = promisify(execFile);
const configuration = fileURLToPath(new URL('../redocly.yaml', import.meta.url));

/** A change that redocly diff rates by one of its rules. */
export interface RatedChange {
  /** Place in the described interface, with references followed: `/paths/.../requestBody/...`. */
  readonly path: string;
  /** JSON pointer in the document that has the thing. */
  readonly pointer: string;
  readonly rule: string;
  readonly impact: Impact;
  readonly message: string;
}

/** The part of the report of redocly diff that is read here. */
interface Report {
  readonly changes: readonly {
    readonly path: string;
    readonly typeName: string;
    readonly kind: 'added' | 'removed' | 'modified';
    readonly impact: Impact;
    readonly verdicts: readonly {
      readonly ruleId: string;
      readonly impact: Impact;
      readonly message: string;
    }[];
    readonly base?: { readonly pointer: string };
    readonly revision?: { readonly pointer: string };
  }[];
}

/**
 * Compares two documents with redocly diff, in a process of its own since it has no other interface.
 *
 * @returns The changes that a rule rates, and the additions; other changes are left to the caller.
 * @throws Error When one of the documents cannot be read or resolved: then a change could be missed.
 */
export async function rateWithRedocly(base: JsonObject, revision: JsonObject): Promise<RatedChange[]> {
  const folder = await mkdtemp(join(tmpdir(), 'speech-diff-'));
  const [before, after, output] = ['before.json', 'after.json', 'report.json'].map((file) =>
    join(folder, file),
  );
  if (!before || !after || !output) throw new Error('unreachable');
  try {
    await Promise.all([writeFile(before, JSON.stringify(base)), writeFile(after, JSON.stringify(revision))]);
    const words = [redocly(), 'diff', before, after, '--config', configuration, '--fail-on', 'none'];
    await run(process.execPath, [...words, '--format', 'json', '--output', output], {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    return read(JSON.parse(await readFile(output, 'utf8')));
  } catch (cause) {
    const words = cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause);
    throw new Error(`redocly diff cannot compare the documents:\n${words}`, { cause });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function read({ changes }: Report): RatedChange[] {
  return changes.flatMap(({ path, kind, typeName, impact, verdicts, base, revision }) => {
    const place = { path: path.slice(1), pointer: (revision ?? base)?.pointer.slice(1) ?? path.slice(1) };
    const rated = verdicts.map(({ ruleId, ...verdict }) => ({
      ...place,
      ...verdict,
      rule: `redocly/${ruleId}`,
    }));
    if (rated.length > 0 || impact === 'patch') return rated;
    const message = `${typeName} \`${path.split('/').at(-1)}\` was ${kind}.`;
    return [{ ...place, impact, message, rule: `redocly/${kind}` }];
  });
}

function redocly(): string {
  const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
  return join(manifest, '..', 'bin', 'cli.js');
}
