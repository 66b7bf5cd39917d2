import { Agent, get } from 'node:http';
import { Worker } from 'node:worker_threads';
import { heavyBodies } from '../child/send-heavy-body.ts';
import { interleave, type Result, type Row } from '../measure.ts';
import { type Server, startServer } from '../processes.ts';

const headers = { authorization: 'Bearer sandbox-key' };

function askFor({ url }: Server, agent: Agent): Promise<void> {
  return new Promise((done, fail) => {
    get(`${url}/model?page_size=5`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) fail(new Error(`${url} answered ${response.statusCode}`));
      response.resume().on('end', done).on('error', fail);
    }).on('error', fail);
  });
}

const mockStart: Row = {
  id: 'mock-start',
  what: 'mock: from the start of the command to its first answer',
  target: "<= 0.6 x prism's time",
  async measure() {
    const firstAnswer = (name: 'mock' | 'prism') => async (): Promise<number> => {
      const begin = performance.now();
      await using server = await startServer(name);
      await askFor(server, new Agent());
      return performance.now() - begin;
    };
    const { mock, prism } = await interleave({ mock: firstAnswer('mock'), prism: firstAnswer('prism') }, 5);
    return [{ ours: mock, unit: 'ms', references: { 'prism mock': prism }, met: mock <= 0.6 * prism }];
  },
};

const requests = 2_000;
const connections = 16;

/** Answers a second, over connections that stay open. */
async function answersPerSecond(server: Server): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let left = requests;
  const ask = async (): Promise<void> => {
    while (left-- > 0) await askFor(server, agent);
  };
  const begin = performance.now();
  await Promise.all(Array.from({ length: connections }, ask));
  const seconds = (performance.now() - begin) / 1000;
  agent.destroy();
  return requests / seconds;
}

const throughput: Row = {
  id: 'server-throughput',
  what: 'a page of voice models',
  target: "mock: at least prism's, and no more memory; sandbox: 3 x prism's",
  async measure() {
    await using mock = await startServer('mock');
    await using sandbox = await startServer('sandbox');
    await using prism = await startServer('prism');
    const rates = await interleave(
      {
        mock: () => answersPerSecond(mock),
        sandbox: () => answersPerSecond(sandbox),
        prism: () => answersPerSecond(prism),
      },
      5,
    );
    const references = { 'prism mock': rates.prism };
    const [memory, prismMemory] = [await mock.memory(), await prism.memory()];
    return [
      { variant: 'mock', ours: rates.mock, unit: 'a second', references, met: rates.mock >= rates.prism },
      {
        variant: 'sandbox',
        ours: rates.sandbox,
        unit: 'a second',
        references,
        met: rates.sandbox >= 3 * rates.prism,
      },
      {
        variant: `mock, resident memory after ${6 * requests} answers`,
        ours: memory,
        unit: 'MB',
        references: { 'prism mock': prismMemory },
        met: memory <= prismMemory,
      },
    ];
  },
};

const allowedWait = 500;
const allowedMemory = 150;

const heavyRequests: Row = {
  id: 'heavy-bodies',
  what: `GET /model beside ${Object.keys(heavyBodies).length} bodies of up to 60 MB, one after another`,
  target: `waits <= ${allowedWait} ms; memory afterwards <= + ${allowedMemory} MB`,
  measure: async () => [...(await beside('mock')), ...(await beside('sandbox'))],
};

async function beside(name: 'mock' | 'sandbox'): Promise<Result[]> {
  await using server = await startServer(name);
  const agent = new Agent({ keepAlive: true });
  for (let index = 0; index < 50; index += 1) await askFor(server, agent);
  const before = await server.memory();
  let [worst, longest] = ['', 0];
  for (const body of Object.keys(heavyBodies)) {
    const { wait, status } = await longestWait(server, body, agent);
    process.stderr.write(`${name} ${body}: ${status}, ${Math.round(wait)} ms\n`);
    if (wait > longest) [worst, longest] = [body, wait];
  }
  // Memory is given back some seconds after the last body.
  const deadline = performance.now() + 30_000;
  let added = Number.POSITIVE_INFINITY;
  while (added > allowedMemory && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    added = (await server.memory()) - before;
  }
  agent.destroy();
  return [
    {
      variant: `${name}, longest wait (${worst})`,
      ours: longest,
      unit: 'ms',
      references: { 'the limit': allowedWait },
      met: longest <= allowedWait,
    },
    {
      variant: `${name}, memory afterwards`,
      ours: added,
      unit: 'MB',
      references: { 'the limit': allowedMemory },
      met: added <= allowedMemory,
    },
  ];
}

/** Asks again and again while a thread sends the body. */
async function longestWait(server: Server, name: string, agent: Agent) {
  const sender = new Worker(new URL('../child/send-heavy-body.ts', import.meta.url), {
    workerData: { url: server.url, name },
  });
  let status: number | undefined;
  let wait = 0;
  await new Promise((resolve, reject) => sender.once('error', reject).once('message', resolve));
  sender.on('message', (answer: number) => {
    status = answer;
  });
  sender.on('error', () => {
    status = 0;
  });
  while (status === undefined) {
    const begin = performance.now();
    await askFor(server, agent);
    wait = Math.max(wait, performance.now() - begin);
  }
  await sender.terminate();
  return { wait, status };
}

export const servers: readonly Row[] = [mockStart, throughput, heavyRequests];
