import {
  AuthenticationError,
  PayloadTooLargeError,
  PermissionDeniedError,
  TooManyRequestsError,
} from '@speech-api/client';
import { connectLive, type LiveConnection, type LiveSource, throughRelay } from '@speech-api/live';
import {
  createTickets,
  type Grant,
  type RelayOptions,
  type RunningRelay,
  startRelay,
} from '@speech-api/relay';
import { defaultModel } from '@speech-api/types/constants';
import { afterEach, describe, expect, test } from 'vitest';
import { errorOf } from './testing/error-of.ts';
import { serviceKey, useService } from './testing/use-service.ts';

const tickets = createTickets({ secret: 'a secret of thirty-two bytes, or more' });
const running: RunningRelay[] = [];
afterEach(() => Promise.all(running.splice(0).map((relay) => relay.close())));

async function bytesOf(speech: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const audio of speech) bytes += audio.length;
  return bytes;
}

describe.each(['sandbox', 'mock'] as const)('in front of the %s', (name) => {
  const service = useService(name);

  async function start(limits: RelayOptions['limits'] = {}): Promise<RunningRelay> {
    const relay = await startRelay({
      upstream: {
        webSocketUrl: service.url.replace('http', 'ws'),
        apiKey: serviceKey,
        model: defaultModel,
      },
      origins: ['https://app.example'],
      authorize: ({ ticket }) => (ticket === undefined ? undefined : tickets.redeem(ticket)),
      limits: { sessionsPerUser: 2, drainSeconds: 0.1, ...limits },
    });
    running.push(relay);
    return relay;
  }

  const through = (relay: RunningRelay, grant: Partial<Grant> = {}): LiveSource =>
    throughRelay({
      url: relay.url.replace('http', 'ws'),
      ticket: () => tickets.issue({ user: 'anna', ...grant }),
    });

  test('a page speaks as if it were connected to the service, utterance after utterance', async () => {
    const relay = await start();
    const request = { format: 'pcm', sample_rate: 8000 } as const;
    const direct = await connectLive(service.client(), request);
    const relayed = await connectLive(through(relay), request);
    for (const text of ['The tide comes in at seven.', 'And again.']) {
      expect(await bytesOf(relayed.speak(text))).toBe(await bytesOf(direct.speak(text)));
    }
    // An interruption needs another socket, and so another ticket.
    for await (const _ of relayed.speak('The baker opens at six. '.repeat(20))) break;
    expect(await bytesOf(relayed.speak('And again.'))).toBe(await bytesOf(direct.speak('And again.')));
    direct.close();
    relayed.close();
  });

  test('what the relay refuses becomes the right error of the client', async () => {
    const relay = await start();
    const source = throughRelay({ url: relay.url.replace('http', 'ws'), ticket: 'forged' });
    expect(await errorOf(connectLive(source))).toBeInstanceOf(AuthenticationError);

    const limited = await connectLive(through(relay, { characters: 10, formats: ['mp3'] }));
    expect(await errorOf(bytesOf(limited.speak('More than ten characters.')))).toBeInstanceOf(
      PayloadTooLargeError,
    );
    const mp3Only = await connectLive(through(relay, { formats: ['mp3'] }), { format: 'wav' });
    expect(await errorOf(bytesOf(mp3Only.speak('Hello.')))).toBeInstanceOf(PermissionDeniedError);

    const open = [await connectLive(through(relay)), await connectLive(through(relay))];
    const error = await errorOf(connectLive(through(relay)));
    expect(error).toBeInstanceOf(TooManyRequestsError);
    expect(error).toMatchObject({ status: 429, retryAfterSeconds: 1 });
    for (const connection of open) connection.close();
  });

  // It waits for two sessions of two seconds to end.
  test('a connection outlives the sessions of its relay', async () => {
    const relay = await start({ sessionSeconds: 2, startsPerUserAndMinute: 1000 });
    const connection = await connectLive(through(relay), { format: 'pcm', sample_rate: 8000 });
    let utterances = 0;
    for (const until = performance.now() + 5000; performance.now() < until; utterances += 1)
      expect(await bytesOf(connection.speak('It is late.'))).toBeGreaterThan(0);
    expect(utterances).toBeGreaterThan(4);
    connection.close();
  });

  test('a drain loses no audio', async () => {
    const relay = await start({ drainSeconds: 30 });
    const request = { format: 'pcm', sample_rate: 8000 } as const;
    const text = 'The baker opens at six. '.repeat(5);
    // The text is written at once: `speak(text)` would pace its sentences, and the sandbox rounds each piece to whole samples.
    const speakAtOnce = async (connection: LiveConnection) => {
      const speech = connection.speak();
      await speech.write(text);
      speech.end();
      return speech;
    };
    const whole = await bytesOf(await speakAtOnce(await connectLive(service.client(), request)));
    const connection = await connectLive(through(relay), request);
    const speech = await speakAtOnce(connection);
    await expect.poll(() => speech.metrics.bytes).toBeGreaterThan(0);
    const drained = relay.close();
    expect(await bytesOf(speech)).toBe(whole);
    await drained;
    connection.close();
  });
});

test('a service that nothing answers for is a 502 for the page, and the relay goes on', async () => {
  const relay = await startRelay({
    upstream: { webSocketUrl: 'ws://127.0.0.1:1', apiKey: serviceKey, model: defaultModel },
    origins: [],
    authorize: () => ({ user: 'anna' }),
  });
  running.push(relay);
  const source = throughRelay({ url: relay.url.replace('http', 'ws') });
  for (const _ of [1, 2]) expect(await errorOf(connectLive(source))).toMatchObject({ status: 502 });
});
