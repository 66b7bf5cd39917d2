import { openLive } from '@speech-api/server/testing';
import { expect, test } from 'vitest';
import { openRaw } from '../testing/raw-connection.ts';
import { speak, speechHeaders, start } from '../testing/sandboxes.ts';

const secret = 'XsecretX';

test('the log line of a refusal says why: field and reason, never the text or the key', async () => {
  const log: string[] = [];
  const sandbox = await start({ logger: (line) => void log.push(line) });
  const lines = (): string => log.join('\n');
  await speak(sandbox, { text: secret, temprature: 1, format: secret });
  await expect
    .poll(lines)
    .toMatch(
      /POST \/v1\/tts 422 \d+ms trace=\S+ refused schema at body\.format: `format` must be one of .*\(and 1 more\)/,
    );
  await speak(sandbox, { text: secret }, { ...speechHeaders, authorization: `Bearer ${secret}` });
  await expect.poll(lines).toMatch(/POST \/v1\/tts 401 \d+ms trace=\S+ refused key-unknown: /);
  await speak(sandbox, { text: 'a', 'sandbox-key': 1 });
  await expect.poll(lines).toMatch(/refused schema at body\.…: unknown field .*--lenient accepts this\.$/m);
  const unknownVoice = await speak(sandbox, { text: 'a', reference_id: 'of-the-service' });
  expect(unknownVoice.status).toBe(400);
  expect(await unknownVoice.text()).not.toContain('lenient');
  await expect.poll(lines).toMatch(/400 .*refused unknown-voice: .*--lenient accepts this\.$/m);
  expect(lines()).not.toMatch(/body\.format.*--lenient/);
  await (await speak(sandbox, { text: 'a' })).bytes();
  await expect.poll(lines).toMatch(/POST \/v1\/tts 200 \d+ms trace=[\da-f]{32}$/m);
  expect(lines()).not.toMatch(/XsecretX|sandbox-key/);
});

/** Sends one request as it is written and waits for its log line. */
async function sendRaw(
  path: string,
  lines: readonly string[] = [],
): Promise<{ log: string; recent: string }> {
  const log: string[] = [];
  const sandbox = await start({ logger: (line) => void log.push(line) });
  const { socket, until } = await openRaw(sandbox);
  const head = [`${path} HTTP/1.1`, 'host: localhost', 'authorization: Bearer sandbox-key', ...lines];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  await until('\r\n\r\n');
  await expect.poll(() => log.join('\n')).toMatch(/trace=/);
  socket.destroy();
  const recent = await (await fetch(`${sandbox.url}/__calls`)).text();
  return { log: log.join('\n'), recent };
}

test.each([
  'GET /model/sandbox-key',
  'GET /model/sandbox%2Dkey',
  `GET /${'x'.repeat(115)}sandbox-key`,
  'GET /model?sandbox%252Dkey=1',
])('neither log nor calls show the key in %s', async (path) => {
  const { log, recent } = await sendRaw(path);
  expect(decodeURIComponent(decodeURIComponent(log + recent))).not.toMatch(/sandbox-key|xsand/);
});

test.each([
  'GET /wallet/the-user/package',
  'PUT /wallet/the-user',
  'GET http://localhost/wallet/the-user/package',
])('neither log nor calls show the user id in %s', async (path) => {
  const { log, recent } = await sendRaw(path);
  expect(log).toContain('/wallet/{user_id}');
  expect(recent).toContain('/wallet/{user_id}');
  expect(log + recent).not.toContain('the-user');
});

test('the log line and the calls show a refused start', async () => {
  const log: string[] = [];
  const sandbox = await start({ logger: (line) => void log.push(line) });
  const client = await openLive(sandbox);
  client.send({ event: 'start', request: { text: secret, format: secret } });
  expect(await client.closed).toMatchObject({ code: 1008 });
  await expect
    .poll(() => log.join('\n'))
    .toMatch(
      /GET \/v1\/tts\/live 101 \d+ms trace=\S+ refused schema at body\.format: `format` must be one of/,
    );
  expect(sandbox.calls).toMatchObject([{ path: '/v1/tts/live', violations: [{ loc: ['body', 'format'] }] }]);
  expect(log.join('\n') + JSON.stringify(sandbox.calls)).not.toContain(secret);
});
