import { Agent } from 'node:http';
import { Worker } from 'node:worker_threads';
import { heavyBodies } from '../child/send-heavy-body.ts';
import { askFor, startMockServer } from '../measure/mock-server.ts';
import type { Result, Row } from '../row.ts';

const allowedWait = 500;
const allowedMemory = 150;
const patience = 30_000;

/** `GET /model` beside each heavy body: the longest wait, and the memory that stays. */
export const heavyRequests: Row = {
  id: 'heavy-bodies',
  what: `GET /model beside ${Object.keys(heavyBodies).length} bodies of up to 60 MB, one after another`,
  target: `waits <= ${allowedWait} ms; memory afterwards <= + ${allowedMemory} MB`,
  async measure() {
    return [...(await beside('mock')), ...(await beside('sandbox'))];
  },
};

async function beside(name: 'mock' | 'sandbox'): Promise<Result[]> {
  const server = await startMockServer(name);
  const agent = new Agent({ keepAlive: true });
  try {
    for (let index = 0; index < 50; index += 1) await askFor(server.url, agent);
    const before = await server.memory();
    const waits: [body: string, wait: number][] = [];
    let still = 0;
    for (const body of Object.keys(heavyBodies)) {
      const { wait, status } = await longestWait(server.url, body, agent);
      waits.push([body, wait]);
      still = Math.max(still, wait);
      process.stderr.write(`${name} ${body}: ${status}, ${Math.round(wait)} ms\n`);
    }
    const [worst] = waits.sort(([, one], [, other]) => other - one);
    const reference = (value: number) => ({ name: 'the limit', value });
    const after = await settledMemory(server, before + allowedMemory);
    return [
      {
        variant: `${name}, longest wait (${worst?.[0]})`,
        ours: still,
        unit: 'ms',
        reference: reference(allowedWait),
        met: still <= allowedWait,
      },
      {
        variant: `${name}, memory afterwards`,
        ours: after - before,
        unit: 'MB',
        reference: reference(allowedMemory),
        met: after - before <= allowedMemory,
      },
    ];
  } finally {
    agent.destroy();
    await server.stop();
  }
}

async function longestWait(
  url: string,
  name: string,
  agent: Agent,
): Promise<{ wait: number; status: number }> {
  const file = new URL('../child/send-heavy-body.ts', import.meta.url);
  const sender = new Worker(file, { workerData: { url, name } });
  let status: number | undefined;
  let wait = 0;
  await new Promise<void>((resolve, reject) => {
    sender.once('error', reject);
    sender.once('message', () => resolve());
  });
  sender.on('message', (answer: number) => {
    status = answer;
  });
  sender.on('error', (error) => {
    process.stderr.write(`${name}: ${error.message}\n`);
    status = 0;
  });
  while (status === undefined) {
    const begin = performance.now();
    await askFor(url, agent);
    wait = Math.max(wait, performance.now() - begin);
  }
  await sender.terminate();
  return { wait, status };
}

/** Memory is given back some seconds after the last body. */
async function settledMemory(
  server: { readonly url: string; memory(): Promise<number> },
  wanted: number,
): Promise<number> {
  const begin = performance.now();
  for (;;) {
    const now = await server.memory();
    if (now <= wanted || performance.now() - begin > patience) return now;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
