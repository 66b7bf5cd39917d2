import { asUsage, runServer } from '@speech-api/program';
import { readFaultOption } from '@speech-api/server';
import type { CommandLine } from './command-line.ts';
import { greet } from './greeting.ts';
import { startSandbox } from './start-sandbox.ts';

export async function runSandbox({ fault, ...options }: CommandLine): Promise<void> {
  const faults = asUsage(() => fault && readFaultOption(fault));
  const logger = (line: string): void => void process.stderr.write(`${line}\n`);
  await runServer({
    start: () => startSandbox({ ...options, ...(faults && { faults }), logger }),
    greet: (url) => greet(url, options, faults),
  });
}
