import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { complete } from '@speech-api/config/suite';
import { expect, test } from 'vitest';
import { bytesPerCharacter, startFaultyService } from './live-service.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('./live-rounds.ts', import.meta.url));

interface Round {
  readonly outcomes: Readonly<Record<string, unknown>>;
  readonly handles: number;
  readonly bytes: number;
}

test('every fault of a live service is the right error, and rounds of all leave no handle and no memory behind', async () => {
  const service = await startFaultyService();
  const child = ['--expose-gc', program, service.url, complete ? '8' : '2'];
  const { stdout } = await run(process.execPath, child);
  const rounds = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Round);
  const spoken = 'The tide comes in at seven. '.length * bytesPerCharacter;
  for (const [round, { outcomes, handles }] of rounds.entries()) {
    expect(outcomes).toEqual({
      ...(round === 0 && { 'stalled reader': 20_000_000 + spoken, 'stalled writer': spoken }),
      'server gone mid-utterance': 'ConnectionError',
      'finish lost': 'TimeoutError',
      'half-open connection': 'TimeoutError',
      'upgrade never answered': 'TimeoutError',
      'upgrade refused': 'InsufficientCreditError',
      'garbage frame': 'ProtocolError',
      'frame of 10 MB': 10_000_000 + spoken,
      'frame above the limit': 'PayloadTooLargeError',
      'late reader': spoken,
      'server that does not read': 'TimeoutError',
      '10 000 tiny writes': 10_000 * bytesPerCharacter,
      'pooled connection closed by the server': spoken,
      'connections dropped in the middle': 'dropped',
    });
    expect(handles).toBe(0);
  }
  service.close();
  if (!complete) return;
  // More than a thousand connections; what is loaded and compiled with the first ones is not theirs.
  const leastOf = (some: readonly Round[]): number => Math.min(...some.map(({ bytes }) => bytes));
  expect(leastOf(rounds.slice(-3))).toBeLessThan(leastOf(rounds.slice(1, 4)) + 1_000_000);
}, 600_000);
