import { Agent } from 'node:http';
import { interleave } from '../measure/interleave.ts';
import { answersPerSecond, askFor, startMockServer } from '../measure/mock-server.ts';
import type { Row } from '../row.ts';

type Name = 'mock' | 'prism';

const prism = (value: number) => ({ name: 'prism mock', value });

export const mockStart: Row = {
  id: 'mock-start',
  what: 'mock: from the start of the command to its first answer',
  target: "<= 0.6 x prism's time",
  async measure() {
    const firstAnswer = (name: Name) => async (): Promise<number> => {
      const begin = performance.now();
      const server = await startMockServer(name);
      const agent = new Agent();
      await askFor(server.url, agent);
      const taken = performance.now() - begin;
      agent.destroy();
      await server.stop();
      return taken;
    };
    const times = await interleave({ mock: firstAnswer('mock'), prism: firstAnswer('prism') }, 5);
    return [
      { ours: times.mock, unit: 'ms', reference: prism(times.prism), met: times.mock <= 0.6 * times.prism },
    ];
  },
};

const requests = 2_000;

export const mockThroughput: Row = {
  id: 'mock-throughput',
  what: 'mock: a page of voice models',
  target: "at least prism's; no more memory",
  async measure() {
    const servers = { mock: await startMockServer('mock'), prism: await startMockServer('prism') };
    try {
      const load = (name: Name) => () => answersPerSecond(servers[name].url, requests);
      const rates = await interleave({ mock: load('mock'), prism: load('prism') }, 5);
      const memory = { mock: await servers.mock.memory(), prism: await servers.prism.memory() };
      return [
        {
          variant: 'answers a second, 16 connections',
          ours: rates.mock,
          unit: 'a second',
          reference: prism(rates.prism),
          met: rates.mock >= rates.prism,
        },
        {
          variant: `resident memory after ${6 * requests} answers`,
          ours: memory.mock,
          unit: 'MB',
          reference: prism(memory.prism),
          met: memory.mock <= memory.prism,
        },
      ];
    } finally {
      await Promise.all([servers.mock.stop(), servers.prism.stop()]);
    }
  },
};
