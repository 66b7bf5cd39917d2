import { exitCodes, explain, UsageError } from '../failures.ts';
import { type CommonOptions, printJson, type Session } from '../session.ts';
import { problemOf, type Setting, type SettingName, settingNames } from '../settings.ts';
import { plain } from '../terminal.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  readonly hint?: string | undefined;
  /** How the command ends when this is the first that fails. @defaultValue `exitCodes.usage` */
  readonly code?: number;
}

/** A clock this far off makes certificates and signed addresses fail. */
const tolerableClockSeconds = 120;
const rounds = 3;

export async function doctor(session: Session, options: CommonOptions): Promise<void> {
  const { settings, version } = session;
  const checks: Check[] = [
    {
      name: 'version',
      ok: true,
      found: `speech ${version}, Node ${process.versions.node}, ${process.platform}`,
    },
    { name: 'settings', ok: true, found: `${settings.path}, profile ${settings.profileName}` },
    ...settingNames.flatMap((name) => checkSetting(name, settings.values[name])),
    {
      name: 'key',
      ok: settings.apiKey !== undefined,
      found: settings.keySource,
      hint: 'set SPEECH_API_KEY, or: speech config key',
      code: exitCodes.access,
    },
  ];
  if (checks.every(({ ok }) => ok)) checks.push(...(await askService(session)));
  if (options.json) {
    printJson(checks.map(({ hint, code: _, ...check }) => (check.ok ? check : { ...check, hint })));
  } else {
    for (const { name, ok, found, hint } of checks) {
      const mark = ok ? session.terminal.paint('green', 'ok  ') : session.terminal.paint('red', 'FAIL');
      process.stdout.write(`${mark} ${name.padEnd(9)} ${plain(found)}\n`);
      if (!ok && hint) process.stdout.write(`     ${' '.repeat(9)} -> ${hint}\n`);
    }
  }
  const failed = checks.filter(({ ok }) => !ok);
  const [first] = failed;
  if (first) throw new UsageError(`Not ready: ${failed.map(({ name }) => name).join(', ')}.`, first.code);
}

/** The address must be there; anything else only has to be usable. */
function checkSetting(name: SettingName, { value, source }: Setting): Check[] {
  const isAddress = name === 'base_url';
  if (value === undefined && !isAddress) return [];
  const problem = value === undefined ? 'there is none' : problemOf(name, value);
  if (problem === undefined && !isAddress) return [];
  return [
    {
      name: isAddress ? 'address' : name,
      ok: problem === undefined,
      found: `${value ?? 'none'} (${source})`,
      hint: isAddress
        ? `${problem}; set SPEECH_BASE_URL, or: speech config set base_url URL`
        : `${problem}; change it: speech config set ${name} VALUE`,
    },
  ];
}

async function askService(session: Session): Promise<Check[]> {
  const times: number[] = [];
  let date: string | null = null;
  try {
    const client = session.client();
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      await client.wallet.getApiCredit('self', { signal: session.signal, retry: { retries: 0 } });
      times.push(performance.now() - start);
    }
    const { response } = await client.http.GET('/wallet/{user_id}/api-credit', {
      params: { path: { user_id: 'self' } },
      signal: session.signal,
    });
    date = response.headers.get('date');
  } catch (error) {
    if (session.signal.aborted) throw error;
    const { message, hint, code } = explain(error);
    // The hint of any other command is to ask the doctor.
    const mend = hint?.includes('speech doctor')
      ? 'check the address, the network and its proxy, and that the service runs'
      : hint;
    return [{ name: 'service', ok: false, found: message, hint: mend, code }];
  }
  const service = {
    name: 'service',
    ok: true,
    found: `reached and the key works, ${Math.round(Math.min(...times))} ms`,
  };
  return date === null ? [service] : [service, clockCheck(Date.parse(date))];
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
