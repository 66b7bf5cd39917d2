import { ask } from '../ask.ts';
import { readStandardInput } from '../files.ts';
import { type CommonOptions, printJson, type Session } from '../session.ts';
import { changeSetting, problemOf, type SettingName, settingNames, storeKey } from '../settings.ts';
import { UsageError } from '../usage.ts';

export async function show({ settings }: Session, options: CommonOptions): Promise<void> {
  const { path, profileName, values, keySource } = settings;
  if (options.json) {
    printJson({
      path,
      profile: profileName,
      settings: values,
      key: { is_set: settings.apiKey !== undefined, source: keySource },
    });
    return;
  }
  const lines = settingNames.map((name) => line(name, values[name].value ?? '-', values[name].source));
  const key = line('key', settings.apiKey === undefined ? '-' : '(hidden)', keySource);
  process.stdout.write(`${path}, profile ${profileName}\n${lines.join('')}${key}`);
}

export async function set(
  { settings, terminal }: Session,
  _options: CommonOptions,
  inputs: readonly string[],
) {
  const name = settingOf(inputs[0] ?? '');
  const value = inputs[1] ?? '';
  const problem = problemOf(name, value);
  if (problem !== undefined) throw new UsageError(`${name} cannot be "${value}": ${problem}.`);
  await changeSetting(settings.path, settings.profileName, name, value);
  terminal.note(`${name} is kept in ${settings.path}`);
}

export async function unset(
  { settings, terminal }: Session,
  _options: CommonOptions,
  inputs: readonly string[],
) {
  const name = settingOf(inputs[0] ?? '');
  await changeSetting(settings.path, settings.profileName, name, undefined);
  terminal.note(`${name} is not in ${settings.path} any more`);
}

export async function key({ settings, terminal, signal }: Session): Promise<void> {
  const text = process.stdin.isTTY
    ? await ask({
        text: 'API key (it is not shown): ',
        isSecret: true,
        otherwise: 'Nobody can be asked here. Pipe the key into: speech config key',
        signal,
      })
    : (await readStandardInput(10_000)).toString('utf8');
  const value = text.trim();
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new UsageError('That is not a key: it is empty or has spaces or line breaks.');
  terminal.note(`The key is in ${await storeKey(settings.path, settings.profileName, value)}`);
}

function settingOf(name: string): SettingName {
  const known = settingNames.find((setting) => setting === name);
  if (known !== undefined) return known;
  const hint = /key/.test(name) ? ' A key is stored with: speech config key' : '';
  throw new UsageError(`Unknown setting "${name}". Use one of ${settingNames.join(', ')}.${hint}`);
}

function line(name: string, value: string, source: string): string {
  return `  ${name.padEnd(9)} ${value}  (${source})\n`;
}
