import { PermissionDeniedError } from '@speech-api/client';
import { afterEach, expect, test, vi } from 'vitest';
import { failureOf, openers, startScript } from './testing/scripted-server.ts';

const [, [, , connect]] = openers;

afterEach(() => vi.unstubAllGlobals());

/** Connects as in workerd, to a server that refuses with this body; gives the error and what was read. */
async function refusedWith(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => void) {
  const cancel = vi.fn();
  const body = new ReadableStream<Uint8Array>({ pull, cancel });
  vi.stubGlobal('WebSocketPair', class {});
  vi.stubGlobal('fetch', async () => new Response(body, { status: 403 }));
  const { source } = await startScript({});
  const error = await failureOf(connect(source));
  return { error, cancel };
}

const encoder = new TextEncoder();

test('workerd: the body of a refused upgrade is read up to a limit', async () => {
  let sent = 0;
  const { error, cancel } = await refusedWith((controller) => {
    sent += 16_384;
    controller.enqueue(encoder.encode('x'.repeat(16_384)));
    if (sent > 50_000_000) controller.close();
  });
  expect(error).toBeInstanceOf(PermissionDeniedError);
  expect(sent).toBeLessThan(200_000);
  expect(cancel).toHaveBeenCalled();
});
