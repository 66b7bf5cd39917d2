import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { useSamples } from './run-sample.ts';
import { findSamples, recipes, run, said, serveRecipe, useFolder, useSandbox } from './runner.ts';

const sandbox = useSandbox();
let sample: Uint8Array;
beforeAll(async () => {
  sample = await (await sandbox.client.speech.create({ text: said, format: 'wav' })).bytes();
});

const programs: Readonly<Record<string, RegExp>> = {
  'before-sending':
    /^31 characters, 36 bytes, about 2\.2 s\n[1-9]\.\d s of audio; credit 1?\d+\.\d+ before, \d+\.\d+ after\n$/,
  'speakable-text':
    /^172 characters billed\n87 characters billed\nThe tide \n\nIt comes in at seven, see the table\.\n\n\nTake the north path\.\nBe back by six!\n$/,
  production: /^credit \d+(?:\.\d+)?\n\d{3,} bytes\n$/,
  'from-openai': /^Fresh bread and two cups of tea\. [1-9]\d*\n$/,
  'from-elevenlabs': /^Two \d[\d.]* \d[\d.]*\ncups\.? \d[\d.]* \d[\d.]*\n$/,
  'from-other-clients': /^\d{4,}\nWhat is said in the sample\.\n(?:[1-9]\n)+1\n$/,
};

test.each(Object.entries(programs))('%s runs against the sandbox', async (name, output) => {
  const cwd = useFolder();
  writeFileSync(join(cwd, 'sample.wav'), sample);
  expect(await run(sandbox.url, cwd, process.execPath, `${recipes}${name}.ts`)).toMatch(output);
});

test('telephony-mulaw writes whole frames that decode to the pcm of the service', async () => {
  const cwd = useFolder();
  expect(await run(sandbox.url, cwd, process.execPath, `${recipes}telephony-mulaw.ts`)).toBe('');
  const encoded = readFileSync(join(cwd, 'call.ulaw'));
  const text = 'Your table is booked for seven.';
  const audio = await sandbox.client.speech.create({ text, format: 'pcm', sample_rate: 8000 });
  const pcm = Buffer.from(await audio.bytes());
  expect(encoded.length).toBe(Math.ceil(pcm.length / 320) * 160);
  let signal = 0;
  let noise = 0;
  for (let at = 0; at < pcm.length / 2; at += 1) {
    const value = pcm.readInt16LE(at * 2);
    signal += value ** 2;
    noise += (value - fromMuLaw(encoded[at] ?? 0)) ** 2;
  }
  // G.711 reaches about 38 dB with speech.
  expect(10 * Math.log10(signal / noise)).toBeGreaterThan(33);
});

test('telephony-call speaks in frames, and is interrupted after what its marks confirm', async () => {
  const log: string[] = [];
  const phone = new WebSocket(await serveRecipe('telephony-call', sandbox.url, log));
  onTestFinished(() => phone.close());
  const frames: Buffer[] = [];
  const events: string[] = [];
  const send = (message: object): void => phone.send(JSON.stringify(message));
  const loud = Buffer.alloc(160, 0x80).toString('base64');
  phone.onopen = () => send({ event: 'start', start: { streamSid: 'call-1' } });
  phone.onmessage = ({ data }) => {
    const message = JSON.parse(String(data));
    events.push(message.event);
    expect(message.streamSid).toBe('call-1');
    if (message.event === 'media') frames.push(Buffer.from(message.media.payload, 'base64'));
    // The telephone confirms each frame as played, until the caller talks after three seconds of them.
    if (message.event === 'mark') send(message);
    if (frames.length === 150 && message.event === 'mark') send({ event: 'media', media: { payload: loud } });
  };
  await expect.poll(() => events.at(-1), { timeout: 30_000 }).toBe('clear');
  expect(frames.every(({ length }) => length === 160)).toBe(true);
  expect(frames.some((frame) => frame.some((code) => Math.abs(fromMuLaw(code)) > 1000))).toBe(true);
  await expect.poll(() => log.join('')).toMatch(/^heard: Your table .+\n$/);
});

/** The decoder of G.711 as its recommendation describes it. */
function fromMuLaw(code: number): number {
  const bits = ~code & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + 132) << ((bits >> 4) & 7)) - 132;
  return (bits & 0x80) === 0 ? magnitude : -magnitude;
}

const runSample = useSamples();
test.each(findSamples('typescript.ts'))('$name runs', (each) => runSample(each, process.execPath));
