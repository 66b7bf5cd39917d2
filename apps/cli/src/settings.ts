import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { audioFormats } from '@speech-api/types/constants';
import { UsageError } from './usage.ts';

/** Settings that a profile may contain. The key is stored in a separate file. */
export const settingNames = ['base_url', 'model', 'voice', 'format', 'language'] as const;
export type SettingName = (typeof settingNames)[number];
type Profile = { readonly [Name in SettingName]?: string };

interface ConfigurationFile {
  /** The profile of commands that name none. */
  readonly profile?: string;
  readonly profiles?: Readonly<Record<string, Profile>>;
}

/** The reason a value cannot work, or undefined. The service's models and voices may have any name. */
export function problemOf(name: SettingName, value: string): string | undefined {
  if (name === 'base_url') {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isAddress = url?.protocol === 'http:' || url?.protocol === 'https:';
    if (!isAddress || url.username || url.password || url.search || url.hash)
      return 'it must be an address such as https://api.example.com, without a user, password, query or fragment';
  } else if (name === 'format') {
    if (!audioFormats.some((format) => format === value))
      return `it must be one of ${audioFormats.join(', ')}`;
  } else if (name === 'language') {
    if (!isLanguage(value)) return 'it must be a language code such as en or pt-BR';
  } else if (!/^[\w.:-]+$/.test(value)) return 'it must be a name without spaces';
  return undefined;
}

/** A setting as it is printed: an address may hold a password or a token, so no more of it than its host is shown. */
export function shown(name: SettingName, value: string): string {
  if (name !== 'base_url' || !/[@?#]/.test(value)) return value;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url?.host) return '(hidden)';
  const isBare = !(url.username || url.password || url.search || url.hash);
  return isBare ? value : `${url.protocol}//${url.host}/...`;
}

/** Only language codes that have a name are accepted, so nobody pays for `--language english` or `xx`. */
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
  /** The named profile does not exist; only `speech config` accepts that. */
  readonly isMissing: boolean;
  readonly values: Readonly<Record<SettingName, Setting>>;
  /** Address of live sessions, if it is not that of the service. */
  readonly webSocketUrl: string | undefined;
  readonly keySource: string;
  /** Not enumerable: settings that are printed do not show it. */
  readonly apiKey: string | undefined;
}

export interface SettingOptions {
  readonly config?: string | undefined;
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
}

const variables: Partial<Record<SettingName, string>> = {
  base_url: 'SPEECH_BASE_URL',
  model: 'SPEECH_MODEL',
};

/** The file of settings: `--config`, `SPEECH_CONFIG`, else where the system keeps settings. */
function configurationPath(options: SettingOptions, environment = process.env): string {
  const named = options.config ?? environment.SPEECH_CONFIG;
  if (named) return named;
  const home = environment.HOME ?? environment.USERPROFILE ?? homedir();
  const folder =
    process.platform === 'win32'
      ? (environment.APPDATA ?? join(home, 'AppData', 'Roaming'))
      : environment.XDG_CONFIG_HOME || join(home, '.config');
  return join(folder, 'speech', 'config.json');
}

/** Reads the settings in effect: options override the environment, which overrides the profile. */
export async function readSettings(options: SettingOptions, environment = process.env): Promise<Settings> {
  const path = configurationPath(options, environment);
  const file = await readConfiguration(path);
  const profileName = options.profile ?? (environment.SPEECH_PROFILE || file.profile) ?? 'default';
  const profile = file.profiles?.[profileName];
  const wasNamed = options.profile !== undefined || Boolean(environment.SPEECH_PROFILE);
  const isMissing = profile === undefined && wasNamed && !(await readKey(keyPath(path, profileName)));
  const setting = (name: SettingName): Setting => {
    if (name === 'base_url' && options.baseUrl) return { value: options.baseUrl, source: '--base-url' };
    const variable = variables[name];
    const fromEnvironment = variable === undefined ? undefined : environment[variable];
    if (fromEnvironment) return { value: fromEnvironment, source: variable ?? '' };
    const value = profile?.[name];
    return { value, source: value === undefined ? 'not set' : `profile ${profileName}` };
  };
  const values = Object.fromEntries(settingNames.map((name) => [name, setting(name)])) as Settings['values'];
  // For any other address, the environment variable of another service is not used.
  const isFromEnvironment = values.base_url.source === variables.base_url;
  const webSocketUrl = (isFromEnvironment && environment.SPEECH_WEBSOCKET_URL) || undefined;
  // A key that was read from a file often ends with a line break.
  const fromVariable = environment.SPEECH_API_KEY?.trim();
  const fromFile = fromVariable ? undefined : await readKey(keyPath(path, profileName));
  const keySource = fromVariable ? 'SPEECH_API_KEY' : fromFile ? keyPath(path, profileName) : 'not set';
  const settings = { path, profileName, isMissing, values, webSocketUrl, keySource };
  return Object.defineProperty(settings as Settings, 'apiKey', { get: () => fromVariable || fromFile });
}

async function readConfiguration(path: string): Promise<ConfigurationFile> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`${path} is not JSON. Fix it, or delete it to start again.`);
  }
  expectShape(value, fileShape, `${path}: `);
  return value as ConfigurationFile;
}

/** Expected value: a string, or an object of such values; `*` matches any name. */
type Shape = 'string' | { readonly [name: string]: Shape };
const fileShape: Shape = {
  profile: 'string',
  profiles: { '*': Object.fromEntries(settingNames.map((name) => [name, 'string'])) },
};

function expectShape(value: unknown, shape: Shape, where: string): void {
  const name = where.replace(/[:.] ?$/, '');
  if (shape === 'string') {
    if (typeof value !== 'string') throw new UsageError(`${name} must be a string.`);
  } else {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new UsageError(`${name} must be an object.`);
    for (const [field, content] of Object.entries(value)) {
      const inner = shape[field] ?? shape['*'];
      if (inner === undefined)
        throw new UsageError(`${where}${field} is unknown. Use one of ${Object.keys(shape).join(', ')}.`);
      expectShape(content, inner, `${where}${field}.`);
    }
  }
}

/** Changes one setting of a profile; `undefined` removes it. */
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

function keyPath(path: string, profileName: string): string {
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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
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
