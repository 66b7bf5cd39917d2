import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A server in its own process, which ends on disposal. */
export interface Server extends AsyncDisposable {
  readonly url: string;
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const programOf = (name: string, file: string): string =>
  fileURLToPath(new URL(file, import.meta.resolve(`${name}/package.json`)));

const document = fileURLToPath(import.meta.resolve('@speech-api/spec/openapi-3.1.json'));
const servers = {
  bare: [pathOf('server.ts'), 'http'],
  live: [pathOf('server.ts'), 'live'],
  mock: [programOf('@speech-api/mock', 'dist/bin.js'), '--port', '0'],
  sandbox: [programOf('@speech-api/sandbox', 'dist/bin.js'), '--port', '0'],
  prism: [programOf('@stoplight/prism-cli', 'dist/index.js'), 'mock', '--port', '0', document],
} as const;

/** Starts a server on a free port and waits until it prints its address. */
export async function startServer(name: keyof typeof servers): Promise<Server> {
  const child = spawn(process.execPath, servers[name], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1', NODE_ENV: 'test' },
  });
  const ended = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    // The output is read to its end, because a process blocks if nobody reads its pipe.
    for (const output of [child.stdout, child.stderr]) {
      output.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const [address] = /\b(?:https?|ws):\/\/[\d.]+:\d+/.exec(printed) ?? [];
        if (address !== undefined) resolve(address);
      });
    }
    child.once('exit', (code) =>
      reject(new Error(`${name} ended with ${code} before it listened:\n${printed}`)),
    );
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs Node and resolves to its output. */
export async function runNode(args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd: pathOf('.') });
  const ended = once(child, 'exit');
  const output = Buffer.concat(await child.stdout.toArray()).toString();
  const [code] = await ended;
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
  return output;
}
