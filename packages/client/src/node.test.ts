import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeWavHeader } from '@speech-api/audio';
import { expect, onTestFinished, test } from 'vitest';
import { ConnectionError, RequestError } from './errors.ts';
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
  const server = await startServer((_request, response) => response.end('{"text":"","duration":1}'));
  const path = join(await temporaryFolder(), 'clip.wav');
  await writeFile(path, tone());
  const audio = await openAudioFile(path);
  await clientOf(server.url).transcriptions.create({ audio });
  expect([audio.name, audio.size]).toEqual(['clip.wav', tone().length]);
  expect(server.seen[0]?.body.includes('filename="clip.wav"')).toBe(true);
  expect(server.seen[0]?.body.includes(Buffer.from(tone()))).toBe(true);
  await expect(openAudioFile('nowhere/sample.wav')).rejects.toThrow('nowhere/sample.wav');
});

test('bytes, a Blob, an answer, a stream and a path become a file with a name and a type', async () => {
  const server = await startServer((_request, response) => response.writeHead(200, wavType).end(tone()));
  const path = join(await temporaryFolder(), 'clip.wav');
  await writeFile(path, tone());
  const options = { name: 'upload.mp3', type: 'audio/mpeg' };
  for (const [source, name, type] of [
    [Buffer.from(tone()), 'audio', ''],
    [tone().buffer, 'audio', ''],
    [new Blob([tone()], { type: 'audio/wav' }), 'audio', 'audio/wav'],
    [new File([tone()], 'mine.wav', { type: 'audio/wav' }), 'mine.wav', 'audio/wav'],
    [await fetch(`${server.url}/folder/voice.wav?token=1`), 'voice.wav', 'audio/wav'],
    [new Blob([tone()]).stream(), 'audio', ''],
    [someAudio(), 'audio', ''],
    [someBuffers(), 'audio', ''],
    [createReadStream(path), 'clip.wav', ''],
    [path, 'clip.wav', ''],
  ] as const) {
    const file = await readAudio(source);
    expect([file.name, file.type]).toEqual([name, type]);
    expect(Buffer.compare(new Uint8Array(await file.arrayBuffer()), tone())).toBe(0);
    const { name: fileName, type: fileType } = await readAudio(file, options);
    expect([fileName, fileType]).toEqual(['upload.mp3', 'audio/mpeg']);
  }
  const answer = new Response('no such clip', { status: 404 });
  await expect(readAudio(answer)).rejects.toThrow('the answer has the status 404');
});

test.each([null, undefined, 'text'])(
  'a stream with the piece %s is an error and not a shorter file',
  async (piece) => {
    async function* broken() {
      yield tone();
      yield piece as unknown as Uint8Array;
      yield tone();
    }
    await expect(readAudio(broken())).rejects.toThrow(TypeError);
  },
);

test('a stream without end is left at its limit', async () => {
  let hasEnded = false;
  async function* endless() {
    try {
      for (;;) yield tone();
    } finally {
      hasEnded = true;
    }
  }
  await expect(readAudio(endless(), { maximumBytes: 100_000 })).rejects.toThrow(RangeError);
  expect(hasEnded).toBe(true);
});

test('anything but a stream is refused, and no file is written', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'hello.wav');
  const wrong = (value: unknown) => value as never;
  await expect(saveTo(path, wrong(Promise.resolve()))).rejects.toThrow(
    'the audio is a promise; await it first',
  );
  await expect(saveTo(path, wrong(tone()))).rejects.toThrow('the audio must be a stream of bytes');
  await expect(saveTo(wrong({}), wrong(path))).rejects.toThrow('path must be a text');
  await expect(readAudio(wrong({}))).rejects.toThrow(
    'the source must be bytes, a Blob, a Response or a stream',
  );
  expect(await readdir(folder)).toEqual([]);
});

test('a folder is refused as an audio file', async () => {
  const folder = await temporaryFolder();
  const error = await errorOf(openAudioFile(folder));
  expect(error).toBeInstanceOf(RequestError);
  expect((error as Error).message).toBe(`${folder} is not a file, but a folder`);
});

async function* someBuffers() {
  yield tone().buffer as unknown as Uint8Array;
}

async function* someAudio() {
  yield tone().subarray(0, 100);
  yield tone().subarray(100);
}

test('saveTo writes the audio of events', async () => {
  async function* someEvents() {
    yield { type: 'chunk-start' };
    yield { type: 'audio-chunk', audio: tone() };
  }
  const path = join(await temporaryFolder(), 'audio.pcm');
  expect(await saveTo(path, someEvents())).toBe(tone().length);
  expect(new Uint8Array(await readFile(path))).toEqual(tone());
});

test('a file that is replaced keeps its mode, and a link leads to the file that is written', async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, 'deep'));
  const path = join(folder, 'deep', 'private.pcm');
  const link = join(folder, 'link.pcm');
  await writeFile(path, 'secret');
  await chmod(path, 0o600);
  await symlink('deep/private.pcm', link);
  await saveTo(link, someAudio());
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readFile(path)).toHaveLength(tone().length);
  expect(await readdir(join(folder, 'deep'))).toEqual(['private.pcm']);
  await rm(path);
  await saveTo(link, someAudio());
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await readFile(path)).toHaveLength(tone().length);
});

test.skipIf(process.platform === 'win32')('a pipe gets the audio and stays a pipe', async () => {
  const path = join(await temporaryFolder(), 'pipe');
  await promisify(execFile)('mkfifo', [path]);
  const [size, read] = await Promise.all([saveTo(path, someAudio()), readFile(path)]);
  expect([size, read.length]).toEqual([tone().length, tone().length]);
  expect((await lstat(path)).isFIFO()).toBe(true);
});
