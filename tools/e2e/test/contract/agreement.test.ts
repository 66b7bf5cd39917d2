import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { complaintsOf } from './prism.ts';
import { type RequestCase, requestCases } from './request-cases.ts';
import { complaintsOfServer } from './server-complaints.ts';

// Two opinions on every request: Prism's validators and the compiled ones of the servers were written by different
// people over different libraries. Where they agree on ten thousand requests, valid and broken, neither of them reads
// the specification its own way; where they do not, disagreements.yaml says who is right and why.

const rounds = 10;
const casesPerRound = 1000;
const firstSeed = 20_261_121;

interface Entry {
  readonly id: string;
  readonly refused_by: 'prism' | 'server';
  readonly change: string;
  readonly complaint: string;
  readonly right: 'prism' | 'server';
  readonly reason: string;
}

const entries: readonly Entry[] = parse(readFileSync(new URL('disagreements.yaml', import.meta.url), 'utf8'));
const seen = new Map<string, number>(entries.map(({ id }) => [id, 0]));
const agreed = { accepted: 0, refused: 0 };

/** The entry that explains why only one of them refuses: by what was done, and by each of the complaints. */
function explain({ deed }: RequestCase, refusedBy: Entry['refused_by'], complaints: readonly string[]) {
  return entries.find(
    (entry) =>
      entry.refused_by === refusedBy &&
      new RegExp(entry.change).test(deed) &&
      complaints.every((complaint) => new RegExp(entry.complaint, 's').test(complaint)),
  );
}

test.each(Array.from({ length: rounds }, (_, round) => ({ seed: firstSeed + round })))(
  `${casesPerRound} requests with the seed $seed: both validators agree, or it is known why not`,
  async ({ seed }) => {
    const unexplained: unknown[] = [];
    for (const round of await Promise.all(fc.sample(requestCases, { numRuns: casesPerRound, seed }))) {
      const prism = await complaintsOf(round.operation, round.request);
      const server = await complaintsOfServer(round.request);
      if (prism.length > 0 === server.length > 0) {
        agreed[server.length > 0 ? 'refused' : 'accepted'] += 1;
        continue;
      }
      const [refusedBy, complaints] =
        server.length > 0 ? (['server', server] as const) : (['prism', prism] as const);
      const entry = explain(round, refusedBy, complaints);
      if (entry) seen.set(entry.id, (seen.get(entry.id) ?? 0) + 1);
      else {
        const { operation, type, deed, request } = round;
        unexplained.push({
          operation: operation.operationId,
          type,
          deed,
          search: request.url.search,
          refusedBy,
          complaints,
        });
      }
    }
    expect(unexplained).toEqual([]);
  },
);

test('enough of the requests are good, and enough are broken', () => {
  const total = [...seen.values()].reduce((sum, count) => sum + count, 0);
  expect(agreed.accepted + agreed.refused + total).toBe(rounds * casesPerRound);
  expect(agreed.accepted).toBeGreaterThan(2000);
  expect(agreed.refused).toBeGreaterThan(2000);
  expect(entries.filter(({ reason }) => !reason)).toEqual([]);
});
