import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** A mock server in a process of its own. */
export interface MockServer {
  readonly url: string;
  /** Resident memory, in MB. */
  memory(): Promise<number>;
  stop(): Promise<void>;
}

const { resolve } = createRequire(import.meta.url);
const headers = { authorization: 'Bearer sandbox-key' };

/** How each of them is started, on a free port. */
export const mockCommands = {
  mock: () => [fileURLToPath(new URL('dist/bin.js', packageOf('@speech-api/mock'))), '--port', '0'],
  sandbox: () => [fileURLToPath(new URL('dist/bin.js', packageOf('@speech-api/sandbox'))), '--port', '0'],
  prism: () => [
    resolve('@stoplight/prism-cli/dist/index.js'),
    'mock',
    '--port',
    '0',
    resolve('@speech-api/spec/openapi-3.1.json'),
  ],
} as const satisfies Readonly<Record<string, () => readonly string[]>>;

function packageOf(name: string): URL {
  return new URL(`file://${resolve(`${name}/package.json`)}`);
}

/** Starts one and waits until it says where it listens. */
export async function startMockServer(name: keyof typeof mockCommands): Promise<MockServer> {
  const preload = new URL('../child/tell-memory.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', preload, ...mockCommands[name]()], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    env: { ...process.env, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1', NODE_ENV: 'test' },
  });
  const url = await new Promise<string>((found, fail) => {
    let words = '';
    // Read to the end, because a process that writes to a pipe without a reader blocks.
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      words += text;
      const [address] = /https?:\/\/[\d.]+:\d+/.exec(words) ?? [];
      if (address !== undefined) found(address);
    });
    child.once('exit', (code) => fail(new Error(`${name} ended with ${code} before it listened:\n${words}`)));
  });
  return {
    url,
    async memory() {
      child.send('memory');
      const [{ bytes }] = (await once(child, 'message')) as [{ bytes: number }];
      return bytes / 1e6;
    },
    async stop() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}

/** Asks for a page of voice models and reads the answer. */
export function askFor(url: string, agent: Agent): Promise<void> {
  return new Promise((done, fail) => {
    get(`${url}/model?page_size=5`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) fail(new Error(`${url} answered ${response.statusCode}`));
      response.resume().on('end', done).on('error', fail);
    }).on('error', fail);
  });
}

const connections = 16;

/** Answers a second, over connections that stay open. */
export async function answersPerSecond(url: string, requests: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let left = requests;
  const ask = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1;
      await askFor(url, agent);
    }
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: connections }, ask));
  const seconds = (performance.now() - begin) / 1000;
  agent.destroy();
  return requests / seconds;
}
