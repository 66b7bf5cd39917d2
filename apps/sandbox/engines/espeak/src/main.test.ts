import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { EngineMessage, TimedEvent } from './protocol.ts';

const program = fileURLToPath(new URL('./main.ts', import.meta.url));
const engines: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const engine of engines.splice(0)) engine.kill();
});

function start(): ChildProcessWithoutNullStreams {
  const engine = spawn(process.execPath, [program], { stdio: 'pipe' });
  engines.push(engine);
  return engine;
}

/** Sends the lines, ends the input and takes the whole output apart. */
async function converse(...lines: object[]): Promise<{ messages: EngineMessage[]; audio: Buffer[] }> {
  const engine = start();
  const parts: Buffer[] = [];
  engine.stdout.on('data', (part: Buffer) => parts.push(part));
  engine.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await once(engine, 'close');
  const output = Buffer.concat(parts);
  const messages: EngineMessage[] = [];
  const audio: Buffer[] = [];
  let offset = 0;
  while (offset < output.length) {
    const end = output.indexOf('\n', offset);
    const message: EngineMessage = JSON.parse(output.toString('utf8', offset, end));
    messages.push(message);
    offset = end + 1;
    if (message.type === 'audio') {
      audio.push(output.subarray(offset, offset + message.bytes));
      offset += message.bytes;
    }
  }
  return { messages, audio };
}

const request = {
  type: 'speak',
  id: '1',
  text: 'Hello, world.',
  voice: 'en-us',
  rate: 175,
  pitch: 50,
  range: 50,
};

const eventsOf = (messages: EngineMessage[]): TimedEvent[] =>
  messages.flatMap((message) => (message.type === 'events' ? message.events : []));

describe('the engine', { timeout: 120_000 }, () => {
  test('says that it is ready, then answers with events and pieces of about 100 ms, and ends with its input', async () => {
    const { messages, audio } = await converse(request);
    expect(messages[0]).toEqual({ type: 'ready', protocol: 1, engine: 'espeak-ng', sample_rate: 22050 });
    expect(Math.max(...audio.map(({ length }) => length))).toBeLessThan(2 * 22050 * 0.11);
    const samples = audio.reduce((sum, { length }) => sum + length, 0) / 2;
    expect(samples).toBeGreaterThan(22050 * 0.7);
    expect(messages.at(-1)).toEqual({ type: 'done', id: '1', samples });
  });

  test('places words in code points of the text, with times that rise and lie inside the audio', async () => {
    const { messages, audio } = await converse({ ...request, text: '𝒳𝒳 and more' });
    const events = eventsOf(messages);
    const words = events.flatMap((event) => (event.event === 'word' ? [event] : []));
    expect(words.map(({ position }) => position)).toEqual(expect.arrayContaining([3, 7]));
    const times = events.map(({ time }) => time);
    expect(times).toEqual([...times].sort((left, right) => left - right));
    const seconds = audio.reduce((sum, { length }) => sum + length, 0) / 2 / 22050;
    expect(times.at(-1)).toBeLessThanOrEqual(seconds + 0.01);
  });

  test('gives the same bytes for the same request, in any process and after any other request', async () => {
    const breathy = { ...request, voice: 'en-us+f2', text: 'Breath is made of noise.' };
    const others = [
      { ...request, voice: 'cmn', text: '你好。' },
      { ...request, rate: 300, text: 'x'.repeat(400) },
    ];
    const bytes = async (...lines: object[]) => {
      const { messages, audio } = await converse(...lines);
      const sizes = messages.flatMap((message) => (message.type === 'done' ? [message.samples * 2] : []));
      const last = sizes.at(-1) ?? 0;
      const all = Buffer.concat(audio);
      return all.subarray(all.length - last).toString('base64');
    };
    const alone = await bytes(breathy);
    expect(await bytes(...others, breathy)).toBe(alone);
    expect(await bytes(breathy, breathy)).toBe(alone);
    // Long enough, and often enough, for memory of one request to be given away in the next.
    const long = {
      ...request,
      text: 'A sentence that is longer than the others, and then some more of it. '.repeat(4),
    };
    expect(await bytes(long, request, long, breathy, long)).toBe(await bytes(long));
  });

  test('stops working when nobody reads, and goes on when somebody does', async () => {
    const engine = start();
    const text = 'This goes on and on for a good while. '.repeat(60);
    engine.stdin.write(`${JSON.stringify({ ...request, text })}\n`);
    await once(engine.stdout, 'readable');
    // A minute of speech and more; the pipe takes a few seconds of it.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    let received = 0;
    while (engine.stdout.readableLength > 0) received += engine.stdout.read()?.length ?? 0;
    expect(received).toBeLessThan(1_000_000);
    engine.stdin.end();
    engine.stdout.on('data', (part: Buffer) => {
      received += part.length;
    });
    await once(engine, 'close');
    expect(received).toBeGreaterThan(3_000_000);
  });
});
