import { exitCodes, explain, UsageError } from '../failures.ts';
import { type CommonOptions, print, printJson, type Session } from '../session.ts';
import { problemOf, settingNames } from '../settings.ts';
import { plain } from '../terminal.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  readonly hint?: string | undefined;
  /** Exit code if this is the first check to fail. @defaultValue `exitCodes.usage` */
  readonly code?: number;
}

/** A clock this far off makes certificates and signed addresses fail. */
const tolerableClockSeconds = 120;
const rounds = 3;

export async function doctor(session: Session, options: CommonOptions): Promise<void> {
  const checks = [...checkSettings(session)];
  if (checks.every(({ ok }) => ok)) checks.push(...(await askService(session)));
  if (options.json) {
    printJson(checks.map(({ hint, code: _, ...check }) => (check.ok ? check : { ...check, hint })));
  } else {
    for (const { name, ok, found, hint } of checks) {
      const mark = ok ? session.terminal.paint('green', 'ok  ') : session.terminal.paint('red', 'FAIL');
      print(`${mark} ${name.padEnd(9)} ${plain(found)}\n`);
      if (!ok && hint) print(`     ${' '.repeat(9)} -> ${hint}\n`);
    }
  }
  const failed = checks.filter(({ ok }) => !ok);
  const [first] = failed;
  if (first) throw new UsageError(`Not ready: ${failed.map(({ name }) => name).join(', ')}.`, first.code);
}

function* checkSettings({ settings, version }: Session): Generator<Check> {
  const { path, profileName, values, apiKey, keySource } = settings;
  const program = `speech ${version}, Node ${process.versions.node}, ${process.platform}`;
  yield { name: 'version', ok: true, found: program };
  yield { name: 'settings', ok: true, found: `${path}, profile ${profileName}` };
  for (const name of settingNames) {
    const { value, source } = values[name];
    const found = `${value ?? 'none'} (${source})`;
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

async function askService(session: Session): Promise<Check[]> {
  const { signal } = session;
  const times: number[] = [];
  try {
    const client = session.client();
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      await client.wallet.getApiCredit('self', { signal, retry: { retries: 0 } });
      times.push(performance.now() - start);
    }
    const params = { path: { user_id: 'self' } };
    const { response } = await client.http.GET('/wallet/{user_id}/api-credit', { params, signal });
    const found = `reached and the key works, ${Math.round(Math.min(...times))} ms`;
    const date = response.headers.get('date');
    const clock = date === null ? [] : [clockCheck(Date.parse(date))];
    return [{ name: 'service', ok: true, found }, ...clock];
  } catch (error) {
    if (signal.aborted) throw error;
    const { message, hint, code } = explain(error);
    // The hint of any other command is to ask the doctor.
    const mend = hint?.includes('speech doctor')
      ? 'check the address, the network and its proxy, and that the service runs'
      : hint;
    return [{ name: 'service', ok: false, found: message, hint: mend, code }];
  }
}

function clockCheck(theirs: number): Check {
  const seconds = Math.round((Date.now() - theirs) / 1000);
  return {
    name: 'clock',
    ok: Math.abs(seconds) <= tolerableClockSeconds,
    found: `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the service`,
    hint: 'let the system set its clock over the network',
    code: exitCodes.failed,
  };
}
