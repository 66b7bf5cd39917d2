import { ask } from '../ask.ts';
import { readStandardInput } from '../files.ts';
import { type CommonOptions, print, printJson, type Session } from '../session.ts';
import { changeSetting, problemOf, type SettingName, settingNames, shown, storeKey } from '../settings.ts';
import { UsageError } from '../usage.ts';

export async function show({ settings }: Session, options: CommonOptions): Promise<void> {
  const { path, profileName: profile, keySource: source, apiKey } = settings;
  const values = Object.fromEntries(
    settingNames.map((name) => {
      const { value, source } = settings.values[name];
      return [name, { value: value && shown(name, value), source }];
    }),
  );
  const key = { is_set: apiKey !== undefined, source };
  if (options.json) return printJson({ path, profile, settings: values, key });
  const rows = { ...values, key: { value: apiKey && '(hidden)', source } };
  print(`${path}, profile ${profile}\n`);
  for (const [name, row] of Object.entries(rows))
    print(`  ${name.padEnd(9)} ${row.value ?? '-'}  (${row.source})\n`);
}

type Change = (session: Session, options: CommonOptions, inputs: readonly string[]) => Promise<void>;

export const set: Change = async ({ settings, terminal }, _options, [given = '', value = '']) => {
  const name = settingOf(given);
  const problem = problemOf(name, value);
  if (problem !== undefined) throw new UsageError(`${name} cannot be "${shown(name, value)}": ${problem}.`);
  await changeSetting(settings.path, settings.profileName, name, value);
  terminal.note(`set ${name} in ${settings.path}`);
};

export const unset: Change = async ({ settings, terminal }, _options, [given = '']) => {
  const name = settingOf(given);
  await changeSetting(settings.path, settings.profileName, name, undefined);
  terminal.note(`removed ${name} from ${settings.path}`);
};

export async function key({ settings, terminal, signal }: Session): Promise<void> {
  const otherwise = 'There is no terminal to ask on. Pipe the key into: speech config key';
  const text = process.stdin.isTTY
    ? await ask({ text: 'API key (it is not shown): ', isSecret: true, otherwise, signal })
    : (await readStandardInput(10_000)).toString('utf8');
  const value = text.trim();
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new UsageError('That is not a key: it is empty or has spaces or line breaks.');
  terminal.note(`stored the key in ${await storeKey(settings.path, settings.profileName, value)}`);
}

function settingOf(name: string): SettingName {
  const known = settingNames.find((setting) => setting === name);
  if (known !== undefined) return known;
  const hint = /key/.test(name) ? ' A key is stored with: speech config key' : '';
  throw new UsageError(`Unknown setting "${name}". Use one of ${settingNames.join(', ')}.${hint}`);
}
