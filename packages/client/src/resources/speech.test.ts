import { writeWavHeader } from '@speech-api/audio';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ProtocolError } from '../errors.ts';
import { clientOf, errorOf, eventOf, testKey, tone } from '../testing/samples.ts';
import { startServer } from '../testing/start-server.ts';
import { createTrace } from '../trace.ts';

// Enough to look like an Ogg container.
const opusClip = Buffer.concat([Buffer.from('OggS'), tone()]);
const pcmType = { 'content-type': 'audio/pcm' };

test('a request without binary goes as JSON with the headers of section 4.1', async () => {
  const server = await startServer((_request, response) => response.writeHead(200, pcmType).end(tone()));
  const audio = await clientOf(server.url).speech.create({
    text: 'Hello.',
    format: 'pcm',
    opus_bitrate: -1000,
  });
  expect(await audio.bytes()).toEqual(tone());
  const [request] = server.seen;
  expect(request).toMatchObject({
    method: 'POST',
    url: '/v1/tts',
    headers: {
      authorization: `Bearer ${testKey}`,
      model: 's2-pro',
      'content-type': 'application/json',
      'content-length': String(request?.body.length),
    },
  });
  expect(request?.headers.accept).toMatch(/^audio\/pcm/);
  expect(JSON.parse(String(request?.body))).toEqual({ text: 'Hello.', format: 'pcm', opus_bitrate: -1000 });
});

test('the model comes from the call, else from the client', async () => {
  const server = await startServer((_request, response) => response.writeHead(200, pcmType).end(tone()));
  const client = clientOf(server.url, { model: 's1' });
  const request = { text: 'Hello.', format: 'pcm' } as const;
  for (const model of [undefined, 's2.1-pro', 'a-model-of-tomorrow']) {
    await (await client.speech.create(request, { model })).bytes();
  }
  expect(server.seen.map(({ headers }) => headers.model)).toEqual(['s1', 's2.1-pro', 'a-model-of-tomorrow']);
});

test('what only the service can judge is sent', async () => {
  const server = await startServer((_request, response) => response.writeHead(200, pcmType).end(tone()));
  const { speech } = clientOf(server.url);
  await speech.create({ text: 'Hello.', format: 'pcm', sample_rate: null, mp3_bitrate: 64 });
  expect(server.seen).toHaveLength(1);
});

test('a traceparent is sent where one is asked for, and nowhere else', async () => {
  const server = await startServer((_request, response) => response.writeHead(200, pcmType).end(tone()));
  const trace = createTrace();
  const request = { text: 'Hello.', format: 'pcm' } as const;
  for (const [ofClient, ofCall, isTraced] of [
    [undefined, undefined, false],
    [trace, undefined, true],
    [undefined, trace, true],
    [trace, false, false],
  ] as const) {
    const { speech } = clientOf(server.url, { trace: ofClient });
    const { traceId } = await speech.create(request, { trace: ofCall });
    expect(traceId).toBe(isTraced ? trace.traceId : undefined);
    expect(String(server.seen.at(-1)?.headers.traceparent).includes(trace.traceId)).toBe(isTraced);
  }
});

test('the first piece is there before the last is made, and memory is not filled ahead', async () => {
  let finish = (): void => undefined;
  const server = await startServer((_request, response) => {
    response.writeHead(200, pcmType).write(tone());
    finish = () => void response.end(tone());
  });
  const audio = await clientOf(server.url).speech.create({ text: 'Hello.', format: 'pcm' });
  const lengths: number[] = [];
  for await (const piece of audio) {
    lengths.push(piece.length);
    finish();
  }
  expect(lengths.length).toBeGreaterThan(1);
  expect(lengths.reduce((sum, length) => sum + length)).toBe(2 * tone().length);
});

test('audio is read once, whichever way', async () => {
  const server = await startServer((_request, response) => response.writeHead(200, pcmType).end(tone()));
  const { speech } = clientOf(server.url);
  const request = { text: 'Hello.', format: 'pcm' } as const;
  const first = await speech.create(request);
  const blob = await first.blob();
  expect([blob.size, blob.type]).toEqual([tone().length, 'audio/pcm']);
  await expect(first.bytes()).rejects.toThrow(TypeError);
  const unspoilt = await speech.create(request);
  await expect(unspoilt.bytes({ maximumBytes: 0 })).rejects.toThrow('maximumBytes');
  expect(await unspoilt.bytes()).toEqual(tone());
  const second = await speech.create(request);
  expect(new Uint8Array(await new Response(second.body).arrayBuffer())).toEqual(tone());
  await expect(second.bytes()).rejects.toThrow(TypeError);
  const third = await speech.create(request);
  expect(third.body).toBe(third.body);
  expect((await third.bytes()).length).toBe(tone().length);
  await expect(third.body.getReader().read()).rejects.toThrow(TypeError);
});

test.each([
  ['its own type', { 'content-type': 'audio/ogg; codecs=opus' }],
  ['another name of it', { 'content-type': 'audio/opus' }],
  ['octet-stream', { 'content-type': 'application/octet-stream' }],
  ['no type at all', {}],
])('audio with %s is accepted', async (_name, headers) => {
  const server = await startServer((_request, response) => response.writeHead(200, headers).end(opusClip));
  const audio = await clientOf(server.url).speech.create({ text: 'Hello.', format: 'opus' });
  expect(await audio.bytes()).toHaveLength(opusClip.length);
});

const wavHeader = writeWavHeader({ sampleRate: 44100 });
const sizedHeader = writeWavHeader({ sampleRate: 44100, dataBytes: 10_000 });
// A format of 0 bytes for a sample, which only players care about.
const oddHeader = Uint8Array.from(sizedHeader).fill(0, 32, 34);
// MPEG 1 layer III, 128 kbps, 44100 Hz, mono: 417 bytes a frame.
const mp3Frame = new Uint8Array(417);
mp3Frame.set([0xff, 0xfb, 0x90, 0xc0]);

test.each([
  ['wav', 'a header without samples', [wavHeader], 'Hello.', false],
  ['wav', 'a header with samples', [wavHeader, tone(10)], 'Hello.', true],
  ['wav', 'a header without samples for a text without words', [wavHeader], '<|speaker:0|> …!', true],
  ['wav', 'all the samples of its header', [sizedHeader, tone(5000)], 'Hello.', true],
  ['wav', 'fewer samples than in its header', [sizedHeader, tone(4000)], 'Hello.', false],
  ['wav', 'fewer samples than in a header with an odd format', [oddHeader, tone(4000)], 'Hello.', false],
  ['wav', 'all the samples of a header with an odd format', [oddHeader, tone(5000)], 'Hello.', true],
  [
    'wav',
    'few samples behind an odd format',
    [Uint8Array.from(oddHeader).fill(255, 40), tone(1000)],
    'Hello.',
    true,
  ],
  ['pcm', 'nothing', [], '你好', false],
  ['pcm', 'half a sample', [tone(), Uint8Array.of(1)], 'Hello.', false],
  ['mp3', 'two frames', [mp3Frame, mp3Frame], 'Hello.', false],
  ['mp3', 'three frames', [mp3Frame, mp3Frame, mp3Frame], 'Hello.', true],
  ['mp3', 'something else', [tone(100)], 'Hello.', false],
  ['opus', 'no page', [tone(100)], 'Hello.', false],
  ['opus', 'half a page', [opusClip.subarray(0, 20)], 'Hello.', false],
  ['wav', 'nothing', [], 'Hello.', false],
  ['mp3', 'nothing', [], '7', false],
  ['mp3', 'nothing for a text without words', [], '… — !', true],
  ['mp3', 'a page of a gateway', ['<html>'.repeat(2000)], 'Hello.', false],
  ['wav', 'another container', [opusClip], 'Hello.', false],
] as const)('a %s clip of %s is what it is', async (format, _name, pieces, text, isAudio) => {
  const all = pieces.map((piece) => Buffer.from(piece));
  const server = await startServer(({ url }, response) => {
    const isStream = url.endsWith('with-timestamp');
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/octet-stream' });
    for (const piece of all)
      response.write(isStream ? eventOf({ audio_base64: piece.toString('base64') }) : piece);
    response.end();
  });
  const { speech } = clientOf(server.url);
  const audio = await speech.create({ text, format });
  const stream = await speech.streamWithTimestamps({ text, format });
  for (const bytes of [audio.bytes(), stream.collect().then((collected) => collected.audio)]) {
    if (isAudio) expect(await bytes).toEqual(new Uint8Array(Buffer.concat(all)));
    else expect(await errorOf(bytes)).toBeInstanceOf(ProtocolError);
  }
});

test('a call whose answer needs a file of the client that is missing is not sent', async () => {
  vi.doMock('./speech-stream.ts', () => Promise.reject(new Error('no such file')));
  onTestFinished(() => void vi.doUnmock('./speech-stream.ts'));
  const server = await startServer((_request, response) => response.end());
  const { speech } = clientOf(server.url);
  const error = await errorOf(speech.streamWithTimestamps({ text: 'Hello.' }));
  expect(error).toMatchObject({ name: 'ConnectionError', message: expect.stringContaining('bundle') });
  expect(server.seen).toEqual([]);
});

test('a short clip whose pieces the reader hands on to a worker is still a clip', async () => {
  const server = await startServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/wav' }).write(wavHeader);
    response.end(tone(10));
  });
  const audio = await clientOf(server.url).speech.create({ text: 'Hello.', format: 'wav' });
  let length = 0;
  for await (const piece of audio) length += structuredClone(piece, { transfer: [piece.buffer] }).length;
  expect(length).toBe(wavHeader.length + 20);
});

test('a slow reader is not a slow service', async () => {
  const server = await startServer((_request, response) => response.writeHead(200, pcmType).end(tone()));
  const client = clientOf(server.url, { timeouts: { firstByte: 300, idle: 300 } });
  const audio = await client.speech.create({ text: 'Hello.', format: 'pcm' });
  await new Promise((resolve) => setTimeout(resolve, 500));
  for await (const _piece of audio) await new Promise((resolve) => setTimeout(resolve, 400));
});
