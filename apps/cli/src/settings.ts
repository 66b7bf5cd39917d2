import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { audioFormats } from '@speech-api/types/constants';
import { type Prices, readPrices } from './prices.ts';
import { UsageError } from './usage.ts';

/** What a profile may set. The key is in a file of its own. */
export const settingNames = ['base_url', 'model', 'voice', 'format', 'language'] as const;
export type SettingName = (typeof settingNames)[number];
export type Profile = { readonly [Name in SettingName]?: string };

export interface ConfigurationFile {
  /** The profile of commands that name none. */
  readonly profile?: string;
  readonly profiles?: Readonly<Record<string, Profile>>;
  /** Prices of the user, for the estimates of `--dry-run`. */
  readonly prices?: Prices;
}

/** Why a value cannot work, or undefined. Models and voices are the service's own, and may be any name. */
export function problemOf(name: SettingName, value: string): string | undefined {
  if (name === 'base_url') {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isAddress = url?.protocol === 'http:' || url?.protocol === 'https:';
    if (!isAddress || url.username !== '' || url.password !== '')
      return 'it must be an address such as https://api.example.com, without a user or password';
  } else if (name === 'format') {
    if (!audioFormats.some((format) => format === value))
      return `it must be one of ${audioFormats.join(', ')}`;
  } else if (name === 'language') {
    if (!isLanguage(value)) return 'it must be a language code such as en or pt-BR';
  } else if (!/^[\w.:-]+$/.test(value)) return 'it must be a name without spaces';
  return undefined;
}

/** A code that has a name is one of a language; nobody should pay for `--language english` or `xx`. */
function isLanguage(code: string): boolean {
  if (!/^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(code)) return false;
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  try {
    return names.of(code.split('-')[0] ?? '') !== undefined && Intl.getCanonicalLocales(code).length === 1;
  } catch {
    return false;
  }
}

/** A value with where it came from, for `speech config` and `speech doctor`. */
export interface Setting {
  readonly value: string | undefined;
  readonly source: string;
}

export interface Settings {
  readonly path: string;
  readonly profileName: string;
  /** The profile was named and is nowhere; only `speech config` can make something of that. */
  readonly isMissing: boolean;
  readonly values: Readonly<Record<SettingName, Setting>>;
  readonly prices: Prices;
  readonly keySource: string;
  /** Not enumerable: settings that are printed do not show it. */
  readonly apiKey: string | undefined;
}

export interface SettingOptions {
  readonly config?: string | undefined;
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const variables: Partial<Record<SettingName, string>> = {
  base_url: 'SPEECH_BASE_URL',
  model: 'SPEECH_MODEL',
};

/** The file of settings: `--config`, `SPEECH_CONFIG`, else where the system keeps settings. */
export function configurationPath(options: SettingOptions, environment: Environment): string {
  const named = options.config ?? environment.SPEECH_CONFIG;
  if (named) return named;
  const home = environment.HOME ?? environment.USERPROFILE ?? homedir();
  const folder =
    process.platform === 'win32'
      ? (environment.APPDATA ?? join(home, 'AppData', 'Roaming'))
      : environment.XDG_CONFIG_HOME || join(home, '.config');
  return join(folder, 'speech', 'config.json');
}

/** What is in force: an option before the environment, the environment before the profile. */
export async function readSettings(options: SettingOptions, environment: Environment): Promise<Settings> {
  const path = configurationPath(options, environment);
  const file = await readConfiguration(path);
  const profileName = options.profile ?? (environment.SPEECH_PROFILE || file.profile) ?? 'default';
  const profile = file.profiles?.[profileName];
  const wasNamed = options.profile !== undefined || Boolean(environment.SPEECH_PROFILE);
  const isMissing = profile === undefined && wasNamed && !(await exists(keyPath(path, profileName)));
  const setting = (name: SettingName): Setting => {
    if (name === 'base_url' && options.baseUrl) return { value: options.baseUrl, source: '--base-url' };
    const variable = variables[name];
    const fromEnvironment = variable === undefined ? undefined : environment[variable];
    if (fromEnvironment) return { value: fromEnvironment, source: variable ?? '' };
    const value = profile?.[name];
    return { value, source: value === undefined ? 'not set' : `profile ${profileName}` };
  };
  const values = Object.fromEntries(settingNames.map((name) => [name, setting(name)])) as Settings['values'];
  const fromVariable = environment.SPEECH_API_KEY;
  const fromFile = fromVariable ? undefined : await readKey(keyPath(path, profileName));
  const keySource = fromVariable ? 'SPEECH_API_KEY' : fromFile ? keyPath(path, profileName) : 'not set';
  const settings = { path, profileName, isMissing, values, prices: file.prices ?? {}, keySource };
  return Object.defineProperty(settings as Settings, 'apiKey', { get: () => fromVariable || fromFile });
}

export async function readConfiguration(path: string): Promise<ConfigurationFile> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return {};
    throw error;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not JSON. Fix it, or delete it to start again.`);
  }
  if (!isRecord(value)) throw new UsageError(`${path} must hold a JSON object.`);
  const { profile, profiles = {} } = value;
  if (profile !== undefined && typeof profile !== 'string')
    throw new UsageError(`profile in ${path} must be a string.`);
  if (!isRecord(profiles)) throw new UsageError(`profiles in ${path} must be an object.`);
  for (const [name, settings] of Object.entries(profiles)) {
    if (!isRecord(settings)) throw new UsageError(`The profile "${name}" in ${path} must be an object.`);
    for (const [setting, content] of Object.entries(settings)) {
      if (!settingNames.some((known) => known === setting)) {
        throw new UsageError(
          `Unknown setting "${setting}" in the profile "${name}" of ${path}. Use one of ${settingNames.join(', ')}.`,
        );
      }
      if (typeof content !== 'string')
        throw new UsageError(`${name}.${setting} in ${path} must be a string.`);
    }
  }
  readPrices(value.prices, path);
  return value;
}

/** Changes one setting of a profile; `undefined` takes it away. */
export async function changeSetting(
  path: string,
  profileName: string,
  name: SettingName,
  value: string | undefined,
): Promise<void> {
  const file = await readConfiguration(path);
  const { [name]: _, ...others } = file.profiles?.[profileName] ?? {};
  const profile = value === undefined ? others : { ...others, [name]: value };
  await writePrivately(
    path,
    `${JSON.stringify({ ...file, profiles: { ...file.profiles, [profileName]: profile } }, undefined, 2)}\n`,
  );
}

/** Keeps the key of a profile in a file that only its owner can read. */
export async function storeKey(path: string, profileName: string, key: string): Promise<string> {
  const file = keyPath(path, profileName);
  await writePrivately(file, `${key}\n`);
  return file;
}

export function keyPath(path: string, profileName: string): string {
  if (!/^[\w-]+$/.test(profileName)) {
    throw new UsageError(`"${profileName}" is not a profile name; use letters, digits, - and _.`);
  }
  return join(dirname(path), `${profileName}.key`);
}

async function readKey(file: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(file);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new UsageError(`Others can read the key in ${file}. Fix it: chmod 600 ${file}`);
    }
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function writePrivately(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const partial = `${file}.${process.pid}.partial`;
  try {
    await writeFile(partial, text, { mode: 0o600, flag: 'wx' });
    await chmod(partial, 0o600);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
