import { afterEach, expect, test, vi } from 'vitest';
import { speakHere } from './speak-here.ts';

/** An engine that answers when the test says so. */
class FakeWorker extends EventTarget {
  static latest: FakeWorker | undefined;
  asked: string[] = [];
  isTerminated = false;

  constructor() {
    super();
    FakeWorker.latest = this;
  }

  postMessage({ id }: { readonly id: string }): void {
    this.asked.push(id);
  }

  terminate(): void {
    this.isTerminated = true;
  }

  answer(data: object): void {
    if (!this.isTerminated) this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
  // One that was not terminated speaks in the next test too.
  if (FakeWorker.latest !== undefined) FakeWorker.latest.asked = [];
});

/** Two sounds that wait for the same engine. */
async function speakTwo() {
  vi.stubGlobal('Worker', FakeWorker);
  const stopped = [new AbortController(), new AbortController()] as const;
  const read = async ({ signal }: AbortController): Promise<number> => {
    let bytes = 0;
    for await (const { audio } of speakHere('Hello.', '/engine/', signal)) bytes += audio.length;
    return bytes;
  };
  const heard = [read(stopped[0]), read(stopped[1])] as const;
  for (const outcome of heard) outcome.catch(() => {});
  const worker = await vi.waitUntil(() => FakeWorker.latest?.asked.length === 2 && FakeWorker.latest);
  return { worker, stopped, heard };
}

test('a sound that is stopped leaves another one on the same engine alone', async () => {
  const { worker, stopped, heard } = await speakTwo();
  stopped[0].abort();
  await expect(heard[0]).rejects.toMatchObject({ name: 'AbortError' });
  const [, id] = worker.asked;
  worker.answer({ type: 'audio', id, samples: new Int16Array(2205).fill(1000) });
  worker.answer({ type: 'done', id });
  expect(await heard[1]).toBeGreaterThan(0);
  expect(worker.isTerminated).toBe(false);
});

test('the engine ends with the last sound that waits for it', async () => {
  const { worker, stopped, heard } = await speakTwo();
  stopped[0].abort();
  await heard[0].catch(() => {});
  stopped[1].abort();
  await expect(heard[1]).rejects.toMatchObject({ name: 'AbortError' });
  expect(worker.isTerminated).toBe(true);
});

test('an engine that fails for one sound fails for the others that wait for it', async () => {
  const { worker, heard } = await speakTwo();
  worker.answer({ type: 'error', id: worker.asked[0], message: 'no memory' });
  await expect(heard[0]).rejects.toThrow('no memory');
  await expect(heard[1]).rejects.toThrow('no memory');
  expect(worker.isTerminated).toBe(true);
});
