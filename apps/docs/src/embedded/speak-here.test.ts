import { expect, test, vi } from 'vitest';
import { speakHere } from './speak-here.ts';

/** An engine that answers when the test says so. */
class FakeWorker extends EventTarget {
  static latest: FakeWorker | undefined;
  ids: string[] = [];
  isTerminated = false;

  constructor() {
    super();
    FakeWorker.latest = this;
  }

  postMessage({ id }: { readonly id: string }): void {
    this.ids.push(id);
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

test.each(['fails', 'is stopped'])(
  'an engine that %s for one sound ends for all that wait for it',
  async (end) => {
    vi.stubGlobal('Worker', FakeWorker);
    const stopped = new AbortController();
    const read = async (signal: AbortSignal): Promise<void> => {
      for await (const _ of speakHere('Hello.', '/engine/', signal));
    };
    const outcomes = Promise.allSettled([read(stopped.signal), read(new AbortController().signal)]);
    const worker = await vi.waitUntil(() => FakeWorker.latest?.ids.length === 2 && FakeWorker.latest);
    if (end === 'is stopped') stopped.abort();
    else {
      const data = { type: 'error', id: worker.ids[0], message: 'no memory' };
      worker.dispatchEvent(new MessageEvent('message', { data }));
    }
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(worker.isTerminated).toBe(true);
    FakeWorker.latest = undefined;
  },
);
