import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { startMock } from '@speech-api/mock';
import { createTickets, type RunningRelay, startRelay } from '@speech-api/relay';
import { startSandbox } from '@speech-api/sandbox';
import { defaultModel } from '@speech-api/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { missingChromium } from '../browser/testing/chromium.ts';
import { because } from './testing/find-runtime.ts';
import { type InstalledProgram, installPacked } from './testing/install-packed.ts';
import {
  commandRuntimes,
  runCommand,
  runInChromium,
  runWorker,
  serveProgram,
  workerd,
} from './testing/run-program.ts';

// One suite of live sessions, run in each runtime against the sandbox and the mock. What differs is in the table of the
// README of live, which has to be right.

const readme = new URL('../../../packages/live/README.md', import.meta.url);

/** The rows of the table, by the names of the runtimes. */
const rows = new Map(
  [...readFileSync(readme, 'utf8').matchAll(/^\| (.+?) \| .+? \| .+? \| (.+?) \| (.+?) \|$/gm)].map(
    ([, name = '', refusal = '', pauses]) => [
      name,
      { isTold: refusal !== 'hidden', pauses: pauses === 'yes' },
    ],
  ),
);

interface Spoken {
  readonly bytes: number;
  readonly isWhole: boolean;
  readonly reused: boolean;
}

let program: InstalledProgram;
beforeAll(async () => {
  program = await installPacked();
});
afterAll(() => program?.remove());

const starts = {
  sandbox: () => startSandbox({ port: 0 }),
  mock: () => startMock({ port: 0, keys: ['sandbox-key'] }),
} as const;

describe.each(['sandbox', 'mock'] as const)('against the %s', (service) => {
  let running: Awaited<ReturnType<(typeof starts)[typeof service]>>;
  beforeAll(async () => {
    running = await starts[service]();
  });
  afterAll(() => running?.close());

  function expectSeen(seen: unknown, row: string): void {
    const { isTold, pauses } = rows.get(row) ?? {};
    expect(isTold, `the table has a row for ${row}`).toBeDefined();
    const spoken = { bytes: expect.any(Number), isWhole: true, reused: true } as const;
    const [refusedKey, noCredit] = isTold
      ? ['AuthenticationError', service === 'sandbox' ? 'InsufficientCreditError' : 'AuthenticationError']
      : ['ConnectionError', 'ConnectionError'];
    expect(seen).toMatchObject({
      whole: { ...spoken, reused: false },
      again: spoken,
      tokens: spoken,
      byHand: spoken,
      late: spoken,
      // About fifteen characters a second.
      interrupted: expect.stringMatching(/^The( tide)?$/),
      afterwards: { ...spoken, reused: false },
      aborted: 'AbortError',
      refusedKey,
      // A relay does not show a page that its own key is refused.
      noCredit: row === 'browsers' && service === 'mock' ? 'ServerError' : noCredit,
      refusedRequest: 'BadRequestError',
      pauses,
    });
    const { whole, again, byHand, late, afterwards } = seen as Readonly<Record<string, Spoken>>;
    expect(whole?.bytes).toBeGreaterThan(10_000);
    for (const other of [again, byHand, late, afterwards]) expect(other?.bytes).toBe(whole?.bytes);
  }

  for (const [name, runtime, options] of commandRuntimes) {
    test.skipIf(runtime.missing)(`${name}${because(runtime.missing)}`, async () => {
      const printed = await runCommand(runtime, options, program.folder, 'live-command.mjs', running.url);
      expectSeen(JSON.parse(printed), name.includes('Node') ? 'Node 20.19 and up' : 'Bun, Deno');
    });
  }

  test.skipIf(workerd.missing)(`workerd${because(workerd.missing)}`, async () => {
    const answer = await runWorker(program.folder, 'live-worker.mjs', running.url);
    expectSeen(JSON.parse(answer), 'workerd');
  });

  test.skipIf(missingChromium)(`Chromium, through relays${because(missingChromium)}`, async () => {
    const tickets = createTickets({ secret: randomBytes(32) });
    const page = await serveProgram(program.folder, 'live.mjs', {
      '/ticket': () => tickets.issue({ user: 'anna' }),
    });
    const relays: RunningRelay[] = [];
    const startWith = async (apiKey: string): Promise<string> => {
      const relay = await startRelay({
        upstream: { webSocketUrl: running.url.replace(/^http/, 'ws'), apiKey, model: defaultModel },
        origins: [page.origin],
        authorize: ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket)),
      });
      relays.push(relay);
      return relay.url.replace(/^http/, 'ws');
    };
    try {
      const seen = await runInChromium(page.origin, 'sessions', {
        relays: {
          'sandbox-key': await startWith('sandbox-key'),
          'sandbox-empty': await startWith('sandbox-empty'),
        },
        ticket: '/ticket',
      });
      expectSeen(seen, 'browsers');
    } finally {
      await Promise.all(relays.map((relay) => relay.close()));
      page.close();
    }
  });
});
