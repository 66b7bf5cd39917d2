import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWavHeader } from '@speech-api/audio';
import { complete } from '@speech-api/config/suite';
import { afterEach, expect, test } from 'vitest';
import { type ServerProcess, startServerProcess } from '../test/testing/server-process.ts';

const kills = complete ? 10 : 3;
const writers = 4;
const headers = { authorization: 'Bearer sandbox-key' };
const titlePrefix = 'Killed';
const text = 'Hi.';
/** In millionths, as in the seed data: 15 for each byte. */
const price = 15n * BigInt(text.length);

interface Voice {
  readonly title: string;
  readonly clip: Uint8Array;
  readonly uses: number;
}

/** The acknowledged changes. A call without an answer is in doubt: it may have been carried out. */
class Ledger {
  readonly voices = new Map<string, Voice>();
  readonly deleted = new Set<string>();
  /** Clips of creations without an answer, by title. */
  readonly doubtfulClips = new Map<string, Uint8Array>();
  credit = 100_000_000n;
  doubtfulCharges = 0n;
  acknowledged = 0;
}

let data = '';
let sandbox: ServerProcess | undefined;
afterEach(async () => {
  await sandbox?.kill('SIGKILL');
  await rm(data, { recursive: true, force: true });
});

test(`everything acknowledged survives each of ${kills} kills in the middle of writes`, {
  timeout: 60_000 + kills * 30_000,
}, async () => {
  data = await mkdtemp(join(tmpdir(), 'sandbox-killed-'));
  const ledger = new Ledger();
  for (let kill = 0; kill < kills; kill += 1) {
    sandbox = await startServerProcess('sandbox', ['--data', data]);
    await check(sandbox.url, ledger);
    const enough = ledger.acknowledged + 5 + Math.floor(Math.random() * 40);
    const ids = [...ledger.voices.keys()];
    const writing = Array.from({ length: writers }, (_, writer) => {
      // Each writer has its own voices, so that the order of changes is known.
      const owned = ids.filter((_id, index) => index % writers === writer);
      return writeUntilKilled(sandbox?.url ?? '', ledger, owned);
    });
    await expect.poll(() => ledger.acknowledged, { timeout: 60_000, interval: 1 }).toBeGreaterThan(enough);
    await sandbox.kill('SIGKILL');
    await Promise.all(writing);
  }
  sandbox = await startServerProcess('sandbox', ['--data', data]);
  await check(sandbox.url, ledger);
});

async function writeUntilKilled(url: string, ledger: Ledger, owned: string[]): Promise<void> {
  const writes = [create, create, rename, remove, speak];
  try {
    for (;;) {
      const id = owned[Math.floor(Math.random() * owned.length)];
      const write = id === undefined ? create : writes[Math.floor(Math.random() * writes.length)];
      await write?.(url, ledger, id ?? '', owned);
      ledger.acknowledged += 1;
    }
  } catch (error) {
    // fetch reports a broken connection only as this error.
    if (!(error instanceof TypeError)) throw error;
  }
}

type Write = (url: string, ledger: Ledger, id: string, owned: string[]) => Promise<void>;

const newTitle = (): string => `${titlePrefix} ${crypto.randomUUID()}`;

const create: Write = async (url, { voices, doubtfulClips }, _previous, owned) => {
  const [title, clip] = [newTitle(), makeClip()];
  const form = new FormData();
  const fields = { type: 'tts', title, train_mode: 'fast', visibility: 'private' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('voices', new Blob([clip]), 'voice.wav');
  doubtfulClips.set(title, clip);
  const { _id } = (await (await call(url, 'POST', '/model', [201], form)).json()) as { _id: string };
  doubtfulClips.delete(title);
  voices.set(_id, { title, clip, uses: 0 });
  owned.push(_id);
};

/** Changes a voice, which is in doubt until the answer has come. */
async function change(ledger: Ledger, id: string, write: (voice: Voice) => Promise<Voice | undefined>) {
  const voice = ledger.voices.get(id);
  if (voice === undefined) return;
  ledger.voices.delete(id);
  ledger.doubtfulClips.set(voice.title, voice.clip);
  const changed = await write(voice);
  ledger.doubtfulClips.delete(voice.title);
  if (changed) ledger.voices.set(id, changed);
  else ledger.deleted.add(id);
}

const rename: Write = (url, ledger, id) =>
  change(ledger, id, async (voice) => {
    const title = newTitle();
    ledger.doubtfulClips.set(title, voice.clip);
    await (await call(url, 'PATCH', `/model/${id}`, [200], new URLSearchParams({ title }))).text();
    ledger.doubtfulClips.delete(title);
    return { ...voice, title };
  });

const remove: Write = (url, ledger, id) =>
  change(ledger, id, async () => {
    await (await call(url, 'DELETE', `/model/${id}`, [200])).text();
    return undefined;
  });

const speak: Write = (url, ledger, id) =>
  change(ledger, id, async (voice) => {
    ledger.doubtfulCharges += price;
    const body = JSON.stringify({ text, reference_id: id, format: 'pcm', sample_rate: 8000 });
    // On a busy machine no engine may be free in time; then nothing is charged.
    const response = await call(url, 'POST', '/v1/tts', [200, 503], body);
    await response.arrayBuffer();
    ledger.doubtfulCharges -= price;
    if (response.status === 503) return voice;
    ledger.credit -= price;
    return { ...voice, uses: voice.uses + 1 };
  });

async function call(
  url: string,
  method: string,
  path: string,
  statuses: readonly number[],
  body?: RequestInit['body'],
) {
  const json = { model: 's2-pro', 'content-type': 'application/json' };
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(typeof body === 'string' && json) },
    ...(body !== undefined && { body }),
  });
  if (!statuses.includes(response.status)) {
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  }
  return response;
}

/** Up to 100 kB of noise as a wav file, so that a truncated one is detected. */
function makeClip(): Uint8Array<ArrayBuffer> {
  const sound = crypto.getRandomValues(new Uint8Array(2 * Math.floor(100 + Math.random() * 30_000)));
  const header = writeWavHeader({ sampleRate: 16_000, dataBytes: sound.length });
  return new Uint8Array(Buffer.concat([header, sound]));
}

interface StoredVoice {
  readonly _id: string;
  readonly title: string;
  readonly task_count: number;
  readonly samples: readonly [{ readonly audio: string }];
}

/** Compares a restarted sandbox with the ledger, and resolves what was in doubt. */
async function check(url: string, ledger: Ledger): Promise<void> {
  const stored = new Map<string, StoredVoice>();
  for (let page = 1, isLast = false; !isLast; page += 1) {
    const query = `self=true&title=${titlePrefix}&page_size=100&page_number=${page}`;
    const list = await call(url, 'GET', `/model?${query}`, [200]);
    const { items, has_more } = (await list.json()) as { items: readonly StoredVoice[]; has_more: boolean };
    for (const voice of items) stored.set(voice._id, voice);
    isLast = !has_more;
  }
  for (const [id, { title, uses }] of ledger.voices)
    expect(stored.get(id), `the voice ${id}`).toMatchObject({ title, task_count: uses });
  for (const [id, { title, task_count, samples }] of stored) {
    expect(ledger.deleted.has(id), `the voice ${id} was deleted`).toBe(false);
    const clip = ledger.voices.get(id)?.clip ?? ledger.doubtfulClips.get(title);
    expect(await (await fetch(samples[0].audio)).bytes(), `the recording of ${id}`).toEqual(clip);
    ledger.voices.set(id, { title, clip: clip ?? new Uint8Array(), uses: task_count });
  }
  ledger.doubtfulClips.clear();
  const wallet = await call(url, 'GET', '/wallet/self/api-credit', [200]);
  const answer = (await wallet.json()) as { credit: string };
  const credit = BigInt(Math.round(Number(answer.credit) * 1_000_000));
  expect(credit).toBeLessThanOrEqual(ledger.credit);
  expect(credit).toBeGreaterThanOrEqual(ledger.credit - ledger.doubtfulCharges);
  ledger.credit = credit;
  ledger.doubtfulCharges = 0n;
}
