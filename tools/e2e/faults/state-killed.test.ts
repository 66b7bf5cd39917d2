import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { complete } from '@speech-api/config/suite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { nothingKnown, verify } from './acknowledged.ts';
import { createRandom } from './random.ts';
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts';
import { writeUntilKilled } from './writers.ts';

/** `KILL_ROUNDS=100` for the long run; `KILL_SEED` for a run that was seen to fail. */
const rounds = Number(process.env.KILL_ROUNDS ?? (complete ? 10 : 3));
const seed = Number(process.env.KILL_SEED ?? Math.floor(Math.random() * 2 ** 32));
const writers = 4;
/** A kill comes after so many writes of a round at most, and then within a few milliseconds. */
const mostWrites = 60;
const longestWait = 20;
const slowestRound = 15_000;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

let data: string;
let running: SandboxProcess | undefined;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'sandbox-killed-'));
});
afterEach(async () => {
  await running?.kill('SIGKILL');
  await rm(data, { recursive: true });
});

test(`everything acknowledged is there after each of ${rounds} kills in the middle of writes (KILL_SEED=${seed})`, {
  timeout: 60_000 + rounds * 30_000,
}, async () => {
  const random = createRandom(seed);
  const known = nothingKnown();
  let acknowledged = 0;
  let touched: ReadonlySet<string> = new Set();
  for (let round = 0; round < rounds; round += 1) {
    running = await startSandboxProcess(['--data', data]);
    const { url } = running;
    await verify(url, known, touched);
    const now = new Set<string>();
    const ids = [...known.models.keys()];
    const writing = Array.from({ length: writers }, (_, index) =>
      writeUntilKilled({
        url,
        random: createRandom(Math.floor(random() * 2 ** 32)),
        known,
        own: ids.filter((_id, place) => place % writers === index),
        touched: now,
        onAcknowledged: () => {
          acknowledged += 1;
        },
      }),
    );
    const written = Promise.all(writing);
    // Looked at after the kill; until then a failure must not count as one that nobody looks at.
    written.catch(() => {});
    const enough = acknowledged + Math.floor(random() * mostWrites);
    const latest = Date.now() + slowestRound;
    while (acknowledged < enough && Date.now() < latest) await pause(1);
    await pause(random() * longestWait);
    await running.kill('SIGKILL');
    await written;
    touched = now;
  }
  running = await startSandboxProcess(['--data', data]);
  await verify(running.url, known, new Set([...known.models.keys(), ...touched]));
  expect(acknowledged).toBeGreaterThan(rounds);
  process.stdout.write(
    `${rounds} kills, ${acknowledged} acknowledged writes, ${known.models.size} voice models left, seed ${seed}\n`,
  );
});
