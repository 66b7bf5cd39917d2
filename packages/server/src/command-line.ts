import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import spawn from 'cross-spawn';
import { readFaultOption } from './faults.ts';

/** The options that every server of this project has. */
export interface ServerOptionValues {
  readonly port: number;
  readonly host: string;
  readonly allowOrigin: readonly string[];
  readonly lenient: boolean;
  /** Fault rules; undefined if faults were not requested. */
  readonly faults?: readonly string[];
  readonly help: boolean;
  readonly version: boolean;
}

type OwnOptions = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

const sharedOptions = {
  port: { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  'allow-origin': { type: 'string', multiple: true, default: [] as string[] },
  lenient: { type: 'boolean', default: false },
  fault: { type: 'string', multiple: true },
  help: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
} as const;

/** The help for the shared options: those at the start of the list, and those at its end. */
export function serverOptionsHelp(defaultPort: number): { readonly first: string; readonly last: string } {
  return {
    first: `  --port N              port to listen on, 0 for any free one (default ${defaultPort})
  --host ADDRESS        address to bind to (default 127.0.0.1)
`,
    last: `  --allow-origin URL    origin that may call, in addition to the loopback ones; may be repeated
  --lenient             accept what other clients of the interface send beyond the specification
  --fault RULE          make answers fail, such as "POST /v1/tts status=503 times=2"; @FILE has one rule per line;
                        "on" only obeys the request header x-speech-fault; may be repeated
`,
  };
}

/**
 * Reads a command line: the options that every server has, and those of one server.
 *
 * @param own the options of this server, as `parseArgs` of `node:util` describes them
 * @throws Error with a message for a person when an option is unknown or its value is not valid
 */
export function readServerOptions<Own extends OwnOptions>(
  args: readonly string[],
  { defaultPort, own }: { readonly defaultPort: number; readonly own: Own },
) {
  const { values } = parseArgs({
    // A script runner may pass on its own separator.
    args: args.filter((argument, index) => !(argument === '--' && index === 0)),
    options: { ...own, ...sharedOptions },
  });
  const shared = values as ReturnType<typeof parseArgs<{ options: typeof sharedOptions }>>['values'];
  const allowOrigin = shared['allow-origin'];
  for (const origin of allowOrigin) {
    if (!URL.canParse(origin) || !/^https?:$/.test(new URL(origin).protocol)) {
      throw new Error(`--allow-origin takes an origin such as https://staging.example.com, not ${origin}.`);
    }
  }
  const options: ServerOptionValues = {
    port: readPort(shared.port, defaultPort),
    host: shared.host,
    allowOrigin,
    lenient: shared.lenient,
    ...(shared.fault === undefined ? {} : { faults: readFaultOption(shared.fault) }),
    help: shared.help,
    version: shared.version,
  };
  return { shared: options, own: values as ReturnType<typeof parseArgs<{ options: Own }>>['values'] };
}

function readPort(value: string | undefined, defaultPort: number): number {
  if (value === undefined) return defaultPort;
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new Error(`--port takes a number from 0 to 65535, not ${value}.`);
}

/** Explains how to fix a failed start. */
export function explainStartError(
  error: unknown,
  { port, host }: { readonly port: number; readonly host: string },
): string {
  switch ((error as NodeJS.ErrnoException | undefined)?.code) {
    case 'EADDRINUSE':
      return `Port ${port} is in use. Stop what listens there, or choose another: --port ${port + 1}, or --port 0 for any free one.`;
    case 'EACCES':
      return `Port ${port} needs more rights. Choose one above 1023, or --port 0 for any free one.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Choose another with --host, such as 127.0.0.1.`;
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

/** The command of one server. */
export interface ServerCommand<Options extends ServerOptionValues> {
  readonly helpText: string;
  readonly version: string;
  /** @throws Error with a message for a person */
  read(args: readonly string[]): Options;
  start(
    options: Options,
    say: (line: string) => void,
  ): Promise<{ readonly url: string; close(): Promise<void> }>;
  /** Lines to print once the server listens. */
  greet(url: string, options: Options): readonly string[];
  /** A command to run while the server listens, and its additional environment. The server ends with it. */
  during?(
    url: string,
    options: Options,
  ): { readonly words: readonly string[]; readonly environment: NodeJS.ProcessEnv } | undefined;
  /** The last line after the server has stopped, and the exit code if nothing else failed. */
  farewell?(options: Options): { readonly line: string; readonly exitCode: number };
}

/**
 * Runs a server as a command until it is interrupted. The first line on stdout is its URL, so that scripts can read it;
 * what is for people goes to stderr.
 */
export async function runServerCommand<Options extends ServerOptionValues>(
  command: ServerCommand<Options>,
): Promise<void> {
  const say = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  // A failing log, such as on a full disk or to a closed pipe, does not end the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const options = readOrExit(command, say);
  if (options.help) {
    process.stdout.write(command.helpText);
    return;
  }
  if (options.version) {
    process.stdout.write(`${command.version}\n`);
    return;
  }
  const server = await command.start(options, say).catch((error: unknown) => {
    say(explainStartError(error, options));
    process.exit(1);
  });
  const end = async (code = 0): Promise<void> => {
    await server.close();
    const last = command.farewell?.(options);
    if (last !== undefined) say(last.line);
    process.exit(code === 0 ? (last?.exitCode ?? 0) : code);
  };
  const during = command.during?.(server.url, options);
  if (during !== undefined) {
    await end(await runDuring(during.words, during.environment, say));
    return;
  }
  process.stdout.write(`${server.url}\n`);
  for (const line of command.greet(server.url, options)) say(line);
  let closing = false;
  const close = (): void => {
    // A second Ctrl-C exits at once.
    if (closing) process.exit(130);
    closing = true;
    void end();
  };
  process.on('SIGINT', close);
  process.on('SIGTERM', close);
}

/** Runs a command to its end with its own output. Signals to this process reach it too. */
function runDuring(
  [program = '', ...others]: readonly string[],
  environment: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<number> {
  return new Promise((resolve) => {
    const settings = { stdio: 'inherit', env: { ...process.env, ...environment } } as const;
    // On Windows, npm and similar programs are scripts, which only this form of `spawn` starts.
    const child = spawn(program, others, settings);
    // A terminal sends Ctrl-C to both processes; SIGTERM is passed on.
    process.on('SIGINT', () => {});
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.on('error', (error) => {
      say(`${program} cannot be run: ${error.message}`);
      resolve(2);
    });
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

function readOrExit<Options extends ServerOptionValues>(
  { read, helpText }: ServerCommand<Options>,
  say: (line: string) => void,
): Options {
  try {
    return read(process.argv.slice(2));
  } catch (error) {
    say(`${error instanceof Error ? error.message : String(error)}\n\n${helpText}`);
    process.exit(2);
  }
}

/** The version in the package.json one folder above a module. */
export function versionOf(moduleUrl: string): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', moduleUrl), 'utf8'));
  return String(version);
}
