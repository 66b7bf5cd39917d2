import { Agent, get } from 'node:http';
import { createMockFetch } from '@speech-api/mock';
import { compare, type Row } from './measure.ts';
import { type Server, startServer } from './processes.ts';

const headers = { authorization: 'Bearer sandbox-key' };

function readPage({ url }: Server, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${url}/model?page_size=5`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`));
      response.resume().on('end', resolve).on('error', reject);
    }).on('error', reject);
  });
}

const mockStart: Row = {
  id: 'mock-start',
  what: 'mock: from the start of the command to its first answer',
  target: "<= 0.6 x prism's time",
  async measure() {
    const firstAnswer = (name: 'mock' | 'prism') => async () => {
      const begin = performance.now();
      await using server = await startServer(name);
      await readPage(server, new Agent());
      return { overriddenDuration: performance.now() - begin };
    };
    const { mock, prism } = await compare({ mock: firstAnswer('mock'), prism: firstAnswer('prism') });
    return [{ ours: mock, unit: 'ms', references: { 'prism mock': prism }, met: mock <= 0.6 * prism }];
  },
};

const withoutPort: Row = {
  id: 'mock-fetch',
  what: 'mock: a call through createMockFetch',
  target: 'at most one through the socket',
  async measure() {
    await using server = await startServer('mock');
    const mock = createMockFetch();
    const call = (url: string, send: typeof fetch) => async () =>
      (await send(`${url}/model`, { headers })).text();
    const contenders = { ours: call(mock.url, mock.fetch), socket: call(server.url, fetch) };
    const { ours, socket } = await compare(contenders, { iterations: 200 });
    return [{ ours, unit: 'ms', references: { 'through the socket': socket }, met: ours <= socket }];
  },
};

const requests = 2_000;
const connections = 16;

/** Reads many pages over connections that stay open. */
async function readPages(server: Server): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let remaining = requests;
  const reader = async (): Promise<void> => {
    while (remaining-- > 0) await readPage(server, agent);
  };
  await Promise.all(Array.from({ length: connections }, reader));
  agent.destroy();
}

const throughput: Row = {
  id: 'server-throughput',
  what: 'a page of voice models',
  target: "mock: at least prism's; sandbox: 3 x prism's",
  async measure() {
    await using mock = await startServer('mock');
    await using sandbox = await startServer('sandbox');
    await using prism = await startServer('prism');
    const reader = (server: Server) => () => readPages(server);
    const readers = { mock: reader(mock), sandbox: reader(sandbox), prism: reader(prism) };
    const taken = await compare(readers, { rounds: 5 });
    const rate = (milliseconds: number): number => (requests * 1000) / milliseconds;
    const references = { 'prism mock': rate(taken.prism) };
    const result = (variant: 'mock' | 'sandbox', factor: number) => {
      const met = rate(taken[variant]) >= factor * rate(taken.prism);
      return { variant, ours: rate(taken[variant]), unit: 'a second', references, met } as const;
    };
    return [result('mock', 1), result('sandbox', 3)];
  },
};

const firstChunk: Row = {
  id: 'sandbox-first-chunk',
  what: 'sandbox: first audio chunk of a short sentence',
  target: '<= 60 ms',
  async measure() {
    await using sandbox = await startServer('sandbox');
    const speak = (format: string) => async () => {
      const begin = performance.now();
      const response = await fetch(`${sandbox.url}/v1/tts`, {
        method: 'POST',
        headers: { ...headers, model: 's2-pro', 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'The quick brown fox jumps over the lazy dog.', format }),
      });
      let overriddenDuration: number | undefined;
      for await (const _ of response.body ?? []) overriddenDuration ??= performance.now() - begin;
      return { overriddenDuration };
    };
    const formats = { pcm: speak('pcm'), wav: speak('wav'), mp3: speak('mp3'), opus: speak('opus') };
    const taken = await compare(formats);
    const references = { 'pcm, which needs no encoder': taken.pcm };
    return Object.entries(taken).map(([variant, ours]) => {
      return { variant, ours, unit: 'ms', references, met: ours <= 60 };
    });
  },
};

export const servers: readonly Row[] = [mockStart, withoutPort, throughput, firstChunk];
