import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { complete } from '@speech-api/config/suite';
import { startMock } from '@speech-api/mock';
import { createTickets, startRelay } from '@speech-api/relay';
import { startSandbox } from '@speech-api/sandbox';
import { defaultModel } from '@speech-api/types';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { missingChromium } from '../browser/testing/chromium.ts';
import { because } from './testing/find-runtime.ts';
import { useInstalledPrograms } from './testing/installed-programs.ts';
import { nodeNames, runInChromium, serveProgram, serverRuntimes } from './testing/run-program.ts';

// One suite of live sessions, run in each runtime against the sandbox and the mock. What differs becomes the table in
// the README of live.

const readme = fileURLToPath(new URL('../../../packages/live/README.md', import.meta.url));
const tableHead =
  '| runtime | socket | headers | why an upgrade was refused | pauses |\n|---|---|---|---|---|\n';

/** The rows of the table, by their first cell, and which runtimes each is about. */
const rows: Readonly<Record<string, readonly string[]>> = {
  [`${nodeNames[0]} and up`]: nodeNames,
  workerd: ['workerd'],
  'Bun, Deno': ['Bun', 'Deno'],
  browsers: ['Chromium'],
};

/** The cells that were seen of a runtime, once against each service. */
const cells = new Map<string, Set<string>>();

interface Spoken {
  readonly bytes: number;
  readonly isWhole: boolean;
  readonly reused: boolean;
}

interface Refused {
  readonly name: string;
  readonly status?: number;
  readonly body?: unknown;
}

interface Seen extends Readonly<Record<'whole' | 'again' | 'byHand' | 'late' | 'afterwards', Spoken>> {
  readonly socket: string;
  readonly direct: Refused | null;
  readonly refusedKey: Refused;
  readonly pauses: boolean;
}

/** Capabilities of a runtime, in the words of the table. */
function describeRuntime(seen: Seen, throughRelay: boolean): string {
  const { status, body } = seen.refusedKey;
  const answer = body === undefined ? 'status' : 'status and body';
  return [
    `\`${seen.socket}\`${throughRelay ? ', through `@speech-api/relay`' : ''}`,
    seen.direct === null ? 'yes' : 'no',
    status === undefined ? 'hidden' : throughRelay ? 'told by the relay' : answer,
    seen.pauses ? 'yes' : 'no',
  ].join(' | ');
}

const programs = useInstalledPrograms();

const starts = {
  sandbox: () => startSandbox({ port: 0 }),
  mock: () => startMock({ port: 0, keys: ['sandbox-key'] }),
} as const;

const services = complete ? (['sandbox', 'mock'] as const) : (['sandbox'] as const);

describe.each(services)('against the %s', (service) => {
  let running: Awaited<ReturnType<(typeof starts)[typeof service]>>;
  beforeAll(async () => {
    running = await starts[service]();
  });
  afterAll(() => running?.close());

  function expectSeen(runtime: string, seen: Seen): void {
    const throughRelay = runtime === 'Chromium';
    const spoken = { bytes: expect.any(Number), isWhole: true, reused: true } as const;
    const poor = service === 'sandbox' ? 'InsufficientCreditError' : 'AuthenticationError';
    // A relay does not show a page that its own key is refused.
    const noCredit = throughRelay && service === 'mock' ? 'ServerError' : poor;
    const isTold = seen.refusedKey.name !== 'ConnectionError';
    expect(seen).toMatchObject({
      whole: { ...spoken, reused: false },
      again: spoken,
      tokens: spoken,
      byHand: spoken,
      late: spoken,
      // About fifteen characters a second.
      interrupted: expect.stringMatching(/^The( tide)?$/),
      afterwards: { ...spoken, reused: false },
      aborted: { name: 'AbortError' },
      refusedKey: isTold ? { name: 'AuthenticationError', status: 401 } : {},
      noCredit: { name: isTold ? noCredit : 'ConnectionError' },
      refusedRequest: { name: 'BadRequestError' },
    });
    const { whole, again, byHand, late, afterwards } = seen;
    expect(whole.bytes).toBeGreaterThan(10_000);
    for (const other of [again, byHand, late, afterwards]) expect(other.bytes).toBe(whole.bytes);
    const before = cells.get(runtime) ?? [];
    cells.set(runtime, new Set([...before, describeRuntime(seen, throughRelay)]));
  }

  for (const { name, missing, run } of serverRuntimes) {
    test.skipIf(missing)(`${name}${because(missing)}`, async () => {
      expectSeen(name, JSON.parse(await run(programs.folder, 'live', running.url)));
    });
  }

  test.skipIf(missingChromium)(`Chromium, through relays${because(missingChromium)}`, async () => {
    const tickets = createTickets({ secret: randomBytes(32) });
    const origin = await serveProgram(programs.folder, 'live.mjs', async (_, response) => {
      response.end(await tickets.issue({ user: 'anna' }));
    });
    const startWith = async (apiKey: string): Promise<string> => {
      const relay = await startRelay({
        upstream: { webSocketUrl: running.url.replace(/^http/, 'ws'), apiKey, model: defaultModel },
        origins: [origin],
        authorize: ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket)),
      });
      onTestFinished(() => relay.close());
      return relay.url.replace(/^http/, 'ws');
    };
    const relays = {
      'sandbox-key': await startWith('sandbox-key'),
      'sandbox-empty': await startWith('sandbox-empty'),
    };
    const target = { baseUrl: running.url, relays, ticket: '/ticket' };
    expectSeen('Chromium', (await runInChromium(origin, 'sessions', target)) as Seen);
  });
});

test('the table in the README of live says what was seen; `pnpm run runtimes` writes it', async () => {
  const before = readFileSync(readme, 'utf8');
  const start = before.indexOf(tableHead) + tableHead.length;
  const end = before.indexOf('\n\n', start) + 1;
  expect(start, 'the README has lost its table').toBeGreaterThan(tableHead.length);
  const written = Object.entries(rows).map(([row, runtimes]) => {
    const seen = new Set(runtimes.flatMap((name) => [...(cells.get(name) ?? [])]));
    expect(seen.size, `${row} are one row: ${[...seen].join(' or ')}`).toBeLessThan(2);
    // Of a runtime that is not on this machine nothing is known.
    const known = before.split('\n').find((line) => line.startsWith(`| ${row} |`));
    return `${seen.size === 0 ? known : `| ${row} | ${[...seen]} |`}\n`;
  });
  await expect(before.slice(0, start) + written.join('') + before.slice(end)).toMatchFileSnapshot(readme);
});
