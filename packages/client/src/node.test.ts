import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeWavHeader } from '@speech-api/audio';
import { expect, onTestFinished, test } from 'vitest';
import { ConnectionError } from './errors.ts';
import { openAudioFile, readAudio, saveTo } from './node.ts';
import { clientOf, errorOf, tone } from './testing/samples.ts';
import { startServer } from './testing/start-server.ts';

const wavType = { 'content-type': 'audio/wav' };
const request = { text: 'Hello.', format: 'wav' } as const;

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'speech-client-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('a streamed wav is saved whole and with its true sizes', async () => {
  const server = await startServer((_request, response) => {
    response.writeHead(200, wavType).write(writeWavHeader({ sampleRate: 44100 }));
    response.end(tone());
  });
  const path = join(await temporaryFolder(), 'hello.wav');
  const size = await saveTo(path, await clientOf(server.url).speech.create(request));
  const saved = await readFile(path);
  expect(saved).toHaveLength(44 + tone().length);
  expect(size).toBe(saved.length);
  expect(saved.readUInt32LE(4)).toBe(saved.length - 8);
  expect(saved.readUInt32LE(40)).toBe(tone().length);
  expect(new Uint8Array(saved.subarray(44))).toEqual(tone());
});

test('audio that breaks off leaves nothing behind and what was there in place', async () => {
  const server = await startServer((_request, response) => {
    response.writeHead(200, wavType).write(writeWavHeader({ sampleRate: 44100 }));
    setTimeout(() => response.destroy(), 20);
  });
  const folder = await temporaryFolder();
  const path = join(folder, 'hello.wav');
  await writeFile(path, 'what was there');
  const audio = await clientOf(server.url).speech.create(request);
  expect(await errorOf(saveTo(path, audio))).toBeInstanceOf(ConnectionError);
  expect(await readdir(folder)).toEqual(['hello.wav']);
  expect(await readFile(path, 'utf8')).toBe('what was there');
});

test('a file is sent by its path, under its name', async () => {
  const server = await startServer((_request, response) => response.end('{"text":""}'));
  const path = join(await temporaryFolder(), 'clip.wav');
  await writeFile(path, tone());
  const audio = await openAudioFile(path);
  await clientOf(server.url).transcriptions.create({ audio });
  expect([audio.name, audio.size]).toEqual(['clip.wav', tone().length]);
  expect(server.seen[0]?.body.includes('filename="clip.wav"')).toBe(true);
  expect(server.seen[0]?.body.includes(Buffer.from(tone()))).toBe(true);
  await expect(openAudioFile(join(path, 'nowhere'))).rejects.toThrow();
});

test('a stream becomes a file: a web stream, a Node stream, a generator', async () => {
  const path = join(await temporaryFolder(), 'clip.wav');
  await writeFile(path, tone());
  async function* pieces() {
    yield tone().subarray(0, 100);
    yield tone().subarray(100);
  }
  for (const stream of [new Blob([tone()]).stream(), createReadStream(path), pieces()]) {
    const audio = await readAudio(stream, { name: 'sample.wav' });
    expect(audio.name).toBe('sample.wav');
    expect(Buffer.compare(new Uint8Array(await audio.arrayBuffer()), tone())).toBe(0);
  }
});

test('a stream without end is left at its limit', async () => {
  let left = false;
  async function* endless() {
    try {
      for (;;) yield tone();
    } finally {
      left = true;
    }
  }
  await expect(readAudio(endless(), { maximumBytes: 100_000 })).rejects.toThrow(RangeError);
  expect(left).toBe(true);
});

test('a file that is not there is named', async () => {
  await expect(openAudioFile('nowhere/sample.wav')).rejects.toThrow('nowhere/sample.wav');
});

test('what is no stream is refused, and no file is written', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'hello.wav');
  const wrong = (value: unknown) => value as never;
  await expect(saveTo(path, wrong(Promise.resolve()))).rejects.toThrow(
    'the audio is a promise; await it first',
  );
  await expect(saveTo(path, wrong(tone()))).rejects.toThrow('the audio must be a stream of bytes');
  await expect(saveTo(wrong({}), wrong(path))).rejects.toThrow('path must be a text');
  await expect(readAudio(wrong(path))).rejects.toThrow('the stream must be a stream of bytes');
  expect(await readdir(folder)).toEqual([]);
});
