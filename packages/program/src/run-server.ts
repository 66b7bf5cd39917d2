import { InvalidArgumentError, Option, onInterrupt, repeated, wholeNumber } from './command-line.ts';
import { originOf } from './page-origin.ts';

export interface ServerOptions {
  readonly port: number;
  readonly host: string;
  readonly allowOrigin: readonly string[];
  readonly lenient?: boolean;
  /** Fault rules; undefined if faults were not requested. */
  readonly fault?: readonly string[];
}

export function serverOptions(defaultPort: number): Option[] {
  return [
    new Option('--port <number>', 'port to listen on, 0 for any free one')
      .argParser(wholeNumber(0, 65_535))
      .default(defaultPort),
    new Option('--host <address>', 'address to bind to').default('127.0.0.1'),
    new Option(
      '--allow-origin <url>',
      'origin that may call, in addition to the loopback ones; may be repeated',
    )
      .argParser(repeated(readOrigin))
      .default([], 'none'),
    new Option('--lenient', 'accept what other clients of the interface send beyond the specification'),
    new Option(
      '--fault <rule>',
      'make answers fail, such as "POST /v1/tts status=503 times=2"; @FILE has one rule per line; "on" only obeys the request header x-speech-fault; may be repeated',
    ).argParser(repeated()),
  ];
}

function readOrigin(text: string): readonly string[] {
  if (originOf(text) !== undefined) return [text];
  throw new InvalidArgumentError('Use an origin such as https://staging.example.com or tauri://localhost.');
}

interface SettingNames {
  readonly port: string;
  readonly host: string;
}

/** Says why a server does not listen, and what would work. */
export function whyNotListening(
  error: unknown,
  names: (port: number | undefined) => SettingNames = () => ({ port: '--port', host: '--host' }),
): string {
  const { code, port, address, message } = Object(error) as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  const own = names(port);
  const other = `another one with ${own.port}, or 0 for any free one`;
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Stop what listens there, or choose ${other}.`;
  if (code === 'EACCES' && port !== undefined) return `Port ${port} needs more rights. Choose ${other}.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${address ?? 'The host'} is not an address of this machine. Choose another one with ${own.host}, such as 127.0.0.1.`;
  return message ?? String(error);
}

interface RunningServer {
  /** @throws when it cannot listen */
  start(): Promise<{ readonly url: string; close(): Promise<void> }>;
  /** How a user sets the port that an error is about, and the address. @defaultValue `--port` and `--host` */
  names?(port: number | undefined): SettingNames;
  greet?(url: string): readonly string[];
  /** Runs a command while the server listens, which ends with it. @returns its exit code */
  readonly during?: ((url: string) => Promise<number>) | undefined;
  /** The last line after the server has stopped, and the exit code if nothing else failed. */
  farewell?(): { readonly line: string; readonly exitCode: number };
}

/**
 * Runs a server until it is interrupted. The first line on stdout is its URL, so that scripts can read it; what is for
 * people goes to stderr. A server that cannot listen ends with 1.
 */
export async function runServer(settings: RunningServer): Promise<void> {
  const { start, names, greet, during, farewell } = settings;
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const server = await start().catch((error: unknown) => {
    throw new Error(whyNotListening(error, names));
  });
  const end = async (code = 0): Promise<void> => {
    await server.close();
    const last = farewell?.();
    if (last !== undefined) say(last.line);
    process.exit(code === 0 ? (last?.exitCode ?? 0) : code);
  };
  if (during !== undefined) return end(await during(server.url));
  process.stdout.write(`${server.url}\n`);
  for (const line of greet?.(server.url) ?? []) say(line);
  onInterrupt(() => void end());
}
