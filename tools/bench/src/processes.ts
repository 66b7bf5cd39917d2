import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A server in a process of its own, which ends when it is disposed of. */
export interface Server extends AsyncDisposable {
  readonly url: string;
  memory(): Promise<number>;
  /** Milliseconds of processor time since its start. */
  processorTime(): Promise<number>;
}

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const programOf = (name: string, file: string): string =>
  fileURLToPath(new URL(file, import.meta.resolve(`${name}/package.json`)));
export const ticketSecret = 'a secret of thirty-two bytes, or more';
export const speech: string = programOf('@speech-api/cli', 'dist/speech.js');

const document = fileURLToPath(import.meta.resolve('@speech-api/spec/openapi-3.1.json'));
const servers = {
  bare: [pathOf('child/server.ts'), 'http'],
  service: [pathOf('child/server.ts'), 'service'],
  pipe: [pathOf('child/server.ts'), 'pipe'],
  relay: [pathOf('child/server.ts'), 'relay'],
  mock: [programOf('@speech-api/mock', 'dist/bin.js'), '--port', '0'],
  sandbox: [programOf('@speech-api/sandbox', 'dist/bin.js'), '--port', '0'],
  prism: [programOf('@stoplight/prism-cli', 'dist/index.js'), 'mock', '--port', '0', document],
} as const;

/** Starts a server on a free port and waits until it says where it listens. */
export async function startServer(name: keyof typeof servers, ...args: readonly string[]): Promise<Server> {
  const preload = new URL('child/tell-memory.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', preload, ...servers[name], ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1', NODE_ENV: 'test' },
  });
  const ended = once(child, 'exit');
  const url = await new Promise<string>((found, fail) => {
    let printed = '';
    // Read to the end, because a process that writes to a pipe without a reader blocks.
    for (const output of [child.stdout, child.stderr]) {
      output?.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const [address] = /\b(?:https?|ws):\/\/[\d.]+:\d+/.exec(printed) ?? [];
        if (address !== undefined) found(address);
      });
    }
    child.once('exit', (code) =>
      fail(new Error(`${name} ended with ${code} before it listened:\n${printed}`)),
    );
  });
  const ask = async (): Promise<[bytes: number, microseconds: number]> => {
    child.send('tell');
    const [told] = await once(child, 'message');
    return told;
  };
  return {
    url,
    memory: async () => (await ask())[0] / 1e6,
    processorTime: async () => (await ask())[1] / 1000,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Runs a file of `src/child` in a process of its own and resolves to the JSON of its last line. */
export async function runChild(name: string, ...args: readonly string[]): Promise<Record<string, number>> {
  const output = await runProgram(process.execPath, ['--expose-gc', pathOf(`child/${name}.ts`), ...args]);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as Record<string, number>;
}

/** Runs a program and resolves to its stdout. */
export async function runProgram(program: string, args: readonly string[], cwd?: string): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], cwd });
  const ended = once(child, 'exit');
  const output = Buffer.concat(await child.stdout.toArray()).toString();
  const [code] = await ended;
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  return output;
}
