import { liveHeaders, openLive, refusedUpgrade } from '@speech-api/server/testing';
import { limits } from '@speech-api/types';
import { expect, test } from 'vitest';
import { openRaw } from '../testing/raw-connection.ts';
import { start } from '../testing/sandboxes.ts';

const path = '/v1/tts/live';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

test('refuses a handshake that is not one, with a body', async () => {
  const sandbox = await start();
  const common = `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer sandbox-key\r\nmodel: s2-pro\r\nconnection: Upgrade\r\nupgrade: websocket\r\n`;
  for (const rest of [
    '',
    'sec-websocket-version: 7\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
    'sec-websocket-version: 13\r\n',
    'sec-websocket-version: 13\r\nsec-websocket-key: short\r\n',
  ]) {
    const { socket, received, closed } = await openRaw(sandbox);
    socket.write(`${common}${rest}\r\n`);
    await closed;
    expect(received()).toMatch(/^HTTP\/1.1 426 /);
    expect(received()).toContain('application/json');
    expect(received()).toMatch(/^sec-websocket-version: 13\r$/im);
  }
});

test('section 4.7: a live session continues the trace, tells the id in the answer to the upgrade and in the log, and starts one without', async () => {
  const log: string[] = [];
  const sandbox = await start({ logger: (line) => void log.push(line) });
  const parent = `00-${traceId}-00f067aa0ba902b7-01`;
  const traced = await openLive(sandbox, { ...liveHeaders, traceparent: parent });
  expect(traced.headers['x-trace-id']).toBe(traceId);
  expect(traced.headers['ratelimit-limit-concurrency']).toBe('50');
  traced.socket.close();
  await traced.closed;
  await expect.poll(() => log.join('\n')).toContain(`GET ${path} 101`);
  expect(log.join('\n')).toContain(`trace=${traceId}`);
  expect(log.join('\n')).not.toContain('sandbox-key');
  const untraced = await openLive(sandbox, { ...liveHeaders, traceparent: 'nonsense' });
  expect(untraced.headers['x-trace-id']).toMatch(/^[\da-f]{32}$/);
  expect(untraced.headers['x-trace-id']).not.toBe(traceId);
  untraced.socket.close();
});

test('section 8: counts a live socket as a request of its account for as long as it is open', async () => {
  const sandbox = await start({ concurrency: 2 });
  const clients = [await openLive(sandbox), await openLive(sandbox)];
  expect((await refusedUpgrade(sandbox, liveHeaders)).status).toBe(429);
  expect((await fetch(`${sandbox.url}/model`, { headers: liveHeaders })).status).toBe(429);
  clients[0]?.socket.terminate();
  clients[1]?.socket.close();
  await expect
    .poll(async () => (await fetch(`${sandbox.url}/model`, { headers: liveHeaders })).status)
    .toBe(200);
  const again = await openLive(sandbox);
  again.socket.close();
});

test('refuses a frame that is larger than a request body may be by its header alone', async () => {
  const client = await openLive(await start());
  const socket = Reflect.get(client.socket, '_socket') as import('node:net').Socket;
  const header = Buffer.alloc(14);
  header[0] = 0x82;
  header[1] = 0xff;
  header.writeBigUInt64BE(BigInt(limits.requestBodyBytes + 1), 2);
  socket.write(header);
  expect(await client.closed).toMatchObject({ code: 1009 });
});

test('is recorded with the audio of its last session, and can be refused by a fault', async () => {
  const sandbox = await start({ record: 'bodies', faults: ['GET /v1/tts/live status=503 times=1'] });
  expect((await refusedUpgrade(sandbox, liveHeaders)).status).toBe(503);
  const client = await openLive(sandbox);
  client.send(
    { event: 'start', request: { text: 'One ' } },
    { event: 'text', text: 'two.' },
    { event: 'stop' },
  );
  await client.next('finish');
  client.socket.close();
  await client.closed;
  await expect.poll(() => sandbox.calls[1]).toMatchObject({ status: 101, state: 'complete' });
  expect(sandbox.calls[1]).toMatchObject({
    path: '/v1/tts/live',
    sent: { body: { text: 'One two.' } },
    audio: { bytes: client.audio().length, kept: true },
  });
});
