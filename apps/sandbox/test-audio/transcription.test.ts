import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { transcribe } from '../src/operations/transcription.ts';
import { createRecall } from '../src/recall/recall.ts';
import type { SpeechService } from '../src/speech/job.ts';
import { createSpeechService } from '../src/speech/service.ts';
import { jobFor, speak } from '../src/speech/testing/speak.ts';
import { createUploads } from '../src/uploads/uploads.ts';
import { hasFfmpeg } from './ffprobe.ts';

const run = promisify(execFile);
const installed = await hasFfmpeg();
const text = 'Nobody on the harbour wall saw the lights go out. It was nine, and the sea was calm.';

/** Files as other programs make them. */
const files: readonly (readonly [name: string, options: readonly string[]])[] = [
  ['aac-48k.m4a', ['-c:a', 'aac', '-b:a', '48k']],
  ['aac-48k.aac', ['-c:a', 'aac', '-b:a', '48k']],
  ['flac.flac', ['-c:a', 'flac']],
  ['flac.oga', ['-c:a', 'flac', '-f', 'ogg']],
  ['opus-12k.ogg', ['-c:a', 'libopus', '-b:a', '12k']],
  ['opus-24k.webm', ['-c:a', 'libopus', '-b:a', '24k']],
  ['vorbis.ogg', ['-c:a', 'libvorbis']],
  ['mp3-64k.mp3', ['-b:a', '64k']],
  ['mp3-variable.mp3', ['-q:a', '7', '-ar', '22050']],
  ['telephone.wav', ['-af', 'highpass=f=300,lowpass=f=3400', '-ar', '8000']],
  ['a-law.wav', ['-ar', '8000', '-c:a', 'pcm_alaw']],
  ['mu-law.wav', ['-ar', '8000', '-c:a', 'pcm_mulaw']],
  ['quiet-stereo.wav', ['-af', 'volume=-12dB', '-ac', '2', '-c:a', 'pcm_f32le']],
];

describe.skipIf(!installed && !process.env.CI)('a recording that ffmpeg has encoded', () => {
  const recall = createRecall();
  const uploads = createUploads();
  let speech: SpeechService;
  let folder: string;
  let words: Awaited<ReturnType<typeof speak>>['words'];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'speech-transcription-'));
    speech = createSpeechService();
    const spoken = await speak(speech, jobFor(text, { format: 'wav' }), recall);
    words = spoken.words;
    await writeFile(join(folder, 'said.wav'), spoken.audio);
  }, 60_000);

  afterAll(async () => {
    await Promise.all([speech.close(), uploads.close(), recall.close()]);
    await rm(folder, { recursive: true });
  });

  test.each(files)('is recalled word for word: %s', async (name, options) => {
    const file = join(folder, name);
    await run('ffmpeg', ['-v', 'error', '-i', join(folder, 'said.wav'), ...options, file]);
    const upload = await uploads.read(await readFile(file));
    const matches = await recall.wordsIn(upload.frames, new AbortController().signal);
    const { transcription, sources } = transcribe(upload, matches, { ignoreTimestamps: false });
    expect(transcription.text).toBe(text);
    expect(sources).toEqual(['echo']);
    expect(transcription.segments).toHaveLength(words.length);
    transcription.segments.forEach((segment, index) => {
      expect(Math.abs(segment.start - (words[index]?.start ?? 0))).toBeLessThan(0.05);
      expect(Math.abs(segment.end - (words[index]?.end ?? 0))).toBeLessThan(0.05);
    });
  });
});
