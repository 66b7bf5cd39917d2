import { afterEach, expect, test, vi } from 'vitest';
import { Speaking } from './speaking.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('opens no second player for a call that was given up while it learned that nobody answers', async () => {
  let opened = 0;
  vi.stubGlobal(
    'AudioContext',
    class {
      constructor() {
        opened += 1;
      }
      async close(): Promise<void> {}
    },
  );
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => {});
  const call = {
    connection: { baseUrl: 'http://127.0.0.1:4010', apiKey: 'sandbox-key' },
    request: { text: 'Is anybody there?' },
    model: 's2-pro',
    format: 'pcm',
    folder: '/engine/',
    isHereFirst: false,
  } as const;
  const speaking = new Speaking(call, () => {});
  let asked = 0;
  vi.stubGlobal('fetch', async () => {
    asked += 1;
    // The second request only asks whether anything answers there.
    if (asked === 2) speaking.abort.abort();
    throw new TypeError('fetch failed');
  });
  await expect(speaking.ask()).rejects.toMatchObject({ name: 'AbortError' });
  expect(asked).toBe(2);
  expect(opened).toBe(1);
});
