import { existsSync } from 'node:fs';
import { TimeoutError } from '@speech-api/client';
import { explain } from '../failures.ts';
import { type CommonOptions, print, printJson, type Session } from '../session.ts';
import { problemOf, settingNames, shown } from '../settings.ts';
import { plain } from '../terminal.ts';
import { exitCodes, UsageError } from '../usage.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  readonly hint?: string | undefined;
  /** Exit code if this is the first check to fail. @defaultValue `exitCodes.usage` */
  readonly code?: number;
}

const rounds = 3;
const patienceSeconds = 10;

export async function doctor(session: Session, options: CommonOptions): Promise<void> {
  const checks: Check[] = [];
  for await (const check of allChecks(session)) {
    checks.push(check);
    if (options.json) continue;
    const { name, ok, found, hint } = check;
    const mark = ok ? session.terminal.paint('green', 'ok  ') : session.terminal.paint('red', 'FAIL');
    print(`${mark} ${name.padEnd(9)} ${plain(found)}\n`);
    if (!ok && hint) print(`     ${' '.repeat(9)} -> ${hint}\n`);
  }
  if (options.json)
    printJson(checks.map(({ hint, code: _, ...check }) => (check.ok ? check : { ...check, hint })));
  const failed = checks.filter(({ ok }) => !ok);
  const [first] = failed;
  if (first) throw new UsageError(`Not ready: ${failed.map(({ name }) => name).join(', ')}.`, first.code);
}

/** The service is asked only if the settings are good. */
async function* allChecks(session: Session): AsyncGenerator<Check> {
  let isReady = true;
  for (const check of checkSettings(session)) {
    isReady &&= check.ok;
    yield check;
  }
  if (isReady) yield await askService(session);
}

function* checkSettings({ settings, version }: Session): Generator<Check> {
  const { path, profileName, values, apiKey, keySource } = settings;
  const program = `speech ${version}, Node ${process.versions.node}, ${process.platform}`;
  yield { name: 'version', ok: true, found: program };
  const file = existsSync(path) ? path : `none (there is no ${path})`;
  yield { name: 'settings', ok: true, found: `${file}, profile ${profileName}` };
  for (const name of settingNames) {
    const { value, source } = values[name];
    const found = `${value === undefined ? 'none' : shown(name, value)} (${source})`;
    const problem = value === undefined ? 'there is none' : problemOf(name, value);
    if (name === 'base_url') {
      const hint = `${problem}; set SPEECH_BASE_URL, or: speech config set base_url URL`;
      yield { name: 'address', ok: problem === undefined, found, hint };
    } else if (value !== undefined && problem !== undefined) {
      // The address must be there; anything else only has to be usable.
      yield { name, ok: false, found, hint: `${problem}; change it: speech config set ${name} VALUE` };
    }
  }
  const hint = 'set SPEECH_API_KEY, or: speech config key';
  yield { name: 'key', ok: apiKey !== undefined, found: keySource, hint, code: exitCodes.access };
}

async function askService(session: Session): Promise<Check> {
  const { signal } = session;
  const times: number[] = [];
  try {
    const client = session.client({ total: patienceSeconds * 1000 });
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      await client.wallet.getApiCredit('self', { signal, retry: { retries: 0 } });
      times.push(performance.now() - start);
    }
    const found = `reached and the key works, ${Math.round(Math.min(...times))} ms`;
    return { name: 'service', ok: true, found };
  } catch (error) {
    if (signal.aborted) throw error;
    if (TimeoutError.isInstance(error)) {
      const found = `no answer within ${patienceSeconds} s`;
      const hint = 'check that this is the address of the service, and that the service runs';
      return { name: 'service', ok: false, found, hint, code: exitCodes.network };
    }
    const { message, hint, code } = explain(error);
    // The hint of any other command is to ask the doctor.
    const mend = hint?.includes('speech doctor')
      ? 'check the address, the network and its proxy, and that the service runs'
      : hint;
    return { name: 'service', ok: false, found: message, hint: mend, code };
  }
}
