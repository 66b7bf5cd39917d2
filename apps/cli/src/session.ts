import { createSpeechClient, type SpeechClient, type Timeouts } from '@speech-api/client';
import { given } from './given.ts';
import { readSettings, type SettingOptions } from './settings.ts';
import { createTerminal, plainJson, type TerminalOptions } from './terminal.ts';
import { exitCodes, UsageError } from './usage.ts';

/** The options of every command. */
export interface CommonOptions extends SettingOptions, TerminalOptions {
  readonly dryRun?: boolean;
  readonly force?: boolean;
}

/** Ctrl-C handling, and the signal that stops a command from outside. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** Called at the first Ctrl-C. Returns true if the command finishes its current work instead of being aborted. */
  finish: (() => boolean) | undefined;
  /** True if a command that prints also writes files: they are finished even if nobody reads stdout any more. */
  writesFiles: boolean;
  /** The error of a stdout that cannot be written, such as that of a full disk. */
  outputFailure: Error | undefined;
}

export type Session = Awaited<ReturnType<typeof openSession>>;

/** Context of one run of a command. */
export async function openSession(options: CommonOptions, interrupt: Interrupt, version: string) {
  const terminal = createTerminal(options);
  const settings = await readSettings(options);
  // The client is created on first use: a command that only reads needs no key.
  const client = (timeouts?: Timeouts): SpeechClient => {
    const { base_url, model } = settings.values;
    const { path, profileName, webSocketUrl, apiKey } = settings;
    if (settings.isMissing) {
      throw new UsageError(
        `There is no profile "${profileName}" in ${path}. Make it: speech config set base_url URL --profile ${profileName}`,
      );
    }
    if (apiKey === undefined) {
      const message = 'No API key. Set SPEECH_API_KEY, or store one with: speech config key';
      throw new UsageError(message, exitCodes.access);
    }
    if (base_url.value === undefined)
      throw new UsageError(
        'No address of the service. Set SPEECH_BASE_URL, or: speech config set base_url URL',
      );
    const log = (line: string, fields: object = {}): void =>
      terminal.note(`${line} ${JSON.stringify(fields)}`);
    const logger = options.verbose ? { info: log, warn: log } : undefined;
    return createSpeechClient(
      given({ apiKey, baseUrl: base_url.value, webSocketUrl, model: model.value, logger, timeouts }),
    );
  };
  return { terminal, settings, signal: interrupt.signal, interrupt, version, client };
}

/**
 * Node ends each wait of its fetch after 300 s, and a long recording may take longer. Only an agent of Node's own undici can change
 * that, whatever its version is.
 */
export function waitAsLongAsTheClient(): void {
  // Node loads its undici with the first of these.
  new Request('http://localhost');
  const shared = globalThis as { [name: symbol]: object | undefined };
  for (const version of [1, 2]) {
    const name = Symbol.for(`undici.globalDispatcher.${version}`);
    const Dispatcher = shared[name]?.constructor as (new (options: object) => object) | undefined;
    if (Dispatcher?.name.endsWith('Agent'))
      shared[name] = new Dispatcher({ headersTimeout: 0, bodyTimeout: 0 });
  }
}

/** Prints a result. */
export function print(text: string): void {
  process.stdout.write(text);
}

/** Prints the result of a command for a program: one JSON document. */
export function printJson(value: unknown): void {
  print(`${plainJson(value, 2)}\n`);
}
