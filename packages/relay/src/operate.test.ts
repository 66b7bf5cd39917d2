import { expect, test } from 'vitest';
import {
  audio,
  finish,
  openPage,
  openSession,
  refusalOf,
  serviceEnd,
  start,
  startTestRelay,
  stop,
  text,
} from './testing/service.ts';

function figure(metrics: string, name: string): number {
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.split(' ').at(-1));
}

test('metrics are on a port of their own, and count sessions, refusals, characters and audio', async () => {
  const { client, behind, relay } = await openSession({ metricsPort: 0, limits: { sessionsPerUser: 1 } });
  expect((await fetch(`${relay.url}/metrics`)).status).toBe(404);
  const read = async (): Promise<string> => (await fetch(relay.metricsUrl ?? '')).text();
  expect(await refusalOf(await openPage(relay))).toMatchObject({ code: 4429 });
  await expect(openPage(relay, { headers: { origin: 'https://evil.example' } })).rejects.toThrow('403');
  expect(figure(await read(), 'speech_relay_sessions')).toBe(1);
  client.send(start(), text('Hello.'), stop);
  await behind.until('stop');
  behind.send(audio(1000), finish);
  await client.until('finish');
  client.socket.close();
  await expect.poll(read).toContain('speech_relay_sessions_ended_total{status="closed"} 1');
  const metrics = await read();
  expect(figure(metrics, 'speech_relay_sessions')).toBe(0);
  expect(figure(metrics, 'speech_relay_ready')).toBe(1);
  expect(figure(metrics, 'speech_relay_refused_total{status="429"}')).toBe(1);
  expect(figure(metrics, 'speech_relay_refused_total{status="403"}')).toBe(1);
  expect(figure(metrics, 'speech_relay_characters_total')).toBe(6);
  expect(figure(metrics, 'speech_relay_audio_bytes_total')).toBeGreaterThan(1000);
  expect(figure(metrics, 'speech_relay_session_seconds_count')).toBe(1);
  expect(figure(metrics, 'process_resident_memory_bytes')).toBeGreaterThan(0);
  expect((await fetch((relay.metricsUrl ?? '').replace('/metrics', '/'))).status).toBe(404);
  const drained = relay.relay.drain();
  expect(figure(await read(), 'speech_relay_ready')).toBe(0);
  await drained;
});

test('characters of a day are counted for the user and the origin, over all of their sessions', async () => {
  let user = 'anna';
  const relay = await startTestRelay({
    authorize: () => ({ user }),
    limits: { charactersPerUserAndDay: 1000, charactersPerOriginAndDay: 1800 },
  });
  const speak = async (characters: number): Promise<unknown> => {
    const index = relay.service.ends.length;
    const client = await openPage(relay);
    client.send(start(), text('x'.repeat(characters)), stop);
    const behind = await serviceEnd(relay, index);
    const spoken = await behind.until('stop').catch(() => undefined);
    client.socket.close();
    await client.closed;
    return spoken ? 'spoken' : await refusalOf(client);
  };
  // Characters that a session asked for and did not use are given back.
  expect(await speak(10)).toBe('spoken');
  expect(await speak(590)).toBe('spoken');
  expect(await speak(600)).toMatchObject({
    code: 4429,
    error: 'The user has too many characters of text within a day.',
  });
  // Less than what a session asks for at once is left, and enough.
  expect(await speak(400)).toBe('spoken');
  expect(await speak(1)).toMatchObject({ code: 4429, retry_after: expect.any(Number) });
  user = 'ben';
  expect(await speak(700)).toBe('spoken');
  // Characters that the origin's limit refuses do not count for the user.
  for (let count = 0; count < 2; count += 1) {
    expect(await speak(200)).toMatchObject({ code: 4429, error: expect.stringContaining('this origin') });
  }
  expect(await speak(100)).toBe('spoken');
});

test('text that is refused is not counted: neither in the log, nor in the day of the user', async () => {
  const relay = await startTestRelay({ limits: { charactersPerUserAndDay: 1000 } });
  const speak = async (first: number, second: number): Promise<unknown> => {
    const client = await openPage(relay);
    const behind = await serviceEnd(relay, relay.log.length);
    client.send(start(), text('x'.repeat(first)));
    await behind.until('text');
    client.send(text('x'.repeat(second)), stop);
    // The relay closes both sides of a session that it refuses; which of the two is seen first does not matter.
    const ended = await behind.until('stop').catch(() => client.closed);
    client.socket.close();
    await client.closed;
    await expect.poll(() => relay.relay.sessions).toBe(0);
    return 'code' in ended ? ended.code : 'spoken';
  };
  expect(await speak(300, 800)).toBe(4429);
  expect(await speak(1, 30_000)).toBe(4413);
  expect(await speak(300, 399)).toBe('spoken');
  expect(relay.log).toMatchObject([{ characters: 300 }, { characters: 1 }, { characters: 699 }]);
});
