import { beforeAll, expect, test } from 'vitest';
import type { RecordingPart } from '../src/index.ts';
import { decodeWithFfmpeg } from '../src/node/decode-with-ffmpeg.ts';
import { cutAll } from '../src/testing/files.ts';
import { correlation, type Heard, listen, make, makeEach } from './ffmpeg.ts';

const rate = 16_000;
/** The interface allows no more at a joint, and neither does this. Seconds. */
const tolerance = 0.03;

/** Noise that swells and falls like syllables, with a pause of 0.6 s every 7 s: no two places are alike. */
const speechLike = [
  '-f',
  'lavfi',
  '-i',
  "anoisesrc=d=75:c=pink:r=44100:a=0.6:s=7,lowpass=f=3000,volume='if(lt(mod(t,7),0.6),0.0005,0.4+0.3*sin(t*19)*sin(t*3.1))':eval=frame",
];
/** The same without any pause. */
const restless = ['-f', 'lavfi', '-i', 'anoisesrc=d=75:c=pink:r=44100:a=0.6:s=8,lowpass=f=3000'];

/** A film's picture. */
const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=5:d=75', '-c:v', 'mpeg4'];

/** Both sounds and the picture as files, which are the inputs of every other one. */
let inputs: string[];
beforeAll(async () => {
  const made = await Promise.all([make(speechLike, 'wav'), make(restless, 'wav'), make(picture, 'mp4')]);
  inputs = made.map(({ path }) => path);
});
const film = ['-map', '2:v', '-c:v', 'copy'];

const files: Readonly<Record<string, readonly [extension: string, ...args: string[]]>> = {
  'wav, 16-bit': ['wav'],
  'wav, extensible, 24-bit, 6 channels': ['wav', '-ac', '6', '-c:a', 'pcm_s24le'],
  'wav, float': ['wav', '-c:a', 'pcm_f32le', '-ac', '2'],
  'wav, A-law': ['wav', '-c:a', 'pcm_alaw', '-ar', '8000'],
  'wav, RF64': ['wav', '-rf64', 'always'],
  'mp3, 128 kbps': ['mp3', '-b:a', '128k', '-ac', '2'],
  'mp3, variable bitrate': ['mp3', '-q:a', '5'],
  'mp3, 32 kbps at 16 kHz': ['mp3', '-ar', '16000', '-b:a', '32k'],
  'mp3, without an information frame': ['mp3', '-write_xing', '0', '-b:a', '64k', '-ar', '44100'],
  'mp3, a large ID3 tag': ['mp3', '-b:a', '96k', '-metadata', `comment=${'x'.repeat(100_000)}`],
  'Ogg Opus, 20 ms': ['ogg', '-c:a', 'libopus', '-b:a', '24k'],
  'Ogg Opus, 60 ms, stereo': ['ogg', '-c:a', 'libopus', '-frame_duration', '60', '-ac', '2'],
  'Ogg Opus, constant bitrate': ['ogg', '-c:a', 'libopus', '-vbr', 'off', '-b:a', '48k'],
  'flac, 16-bit': ['flac'],
  'flac, 24-bit at 48 kHz': ['flac', '-ar', '48000', '-sample_fmt', 's32', '-ac', '2'],
  'Ogg Vorbis': ['ogg', '-c:a', 'libvorbis', '-q:a', '4'],
  'Ogg Vorbis, stereo at 32 kHz': ['ogg', '-c:a', 'libvorbis', '-ac', '2', '-ar', '32000'],
  adts: ['aac', '-c:a', 'aac', '-b:a', '96k'],
  'MPEG-TS, AAC': ['ts', '-c:a', 'aac', '-b:a', '96k'],
  'MPEG-TS, mp3': ['ts', '-c:a', 'libmp3lame', '-b:a', '96k'],
  'm4a, its index at the end': ['m4a', '-c:a', 'aac', '-b:a', '96k', '-ac', '2'],
  'm4a, its index at the start': [
    'm4a',
    '-c:a',
    'aac',
    '-b:a',
    '64k',
    '-ar',
    '24000',
    '-movflags',
    '+faststart',
  ],
  'mp4, a film': ['mp4', ...film, '-c:a', 'aac', '-b:a', '96k'],
  'mp4, fragments': [
    'mp4',
    '-c:a',
    'aac',
    '-b:a',
    '96k',
    '-movflags',
    'frag_keyframe+empty_moov',
    '-frag_duration',
    '2000000',
  ],
  'mp4, Opus': ['mp4', '-c:a', 'libopus', '-b:a', '32k'],
  'mov, PCM': ['mov', '-c:a', 'pcm_s16le'],
  'webm, Opus': ['webm', '-c:a', 'libopus', '-b:a', '32k'],
  'webm, Vorbis': ['webm', '-c:a', 'libvorbis', '-q:a', '4'],
  'Matroska, a film with FLAC': ['mkv', ...film, '-c:a', 'flac', '-sample_fmt', 's16'],
  'Matroska, AAC at 16 kHz': ['mka', '-c:a', 'aac', '-ar', '16000'],
  'Matroska, mp3': ['mka', '-c:a', 'libmp3lame', '-b:a', '96k'],
};

/** One file of each container and each way to cut it; `COMPLETE=1` takes all. */
const short = [
  'wav, 16-bit',
  'mp3, variable bitrate',
  'mp3, without an information frame',
  'Ogg Opus, 20 ms',
  'flac, 16-bit',
  'Ogg Vorbis',
  'adts',
  'MPEG-TS, AAC',
  'm4a, its index at the end',
  'mp4, fragments',
  'mov, PCM',
  'webm, Opus',
];
const chosen = process.env.COMPLETE === '1' ? Object.keys(files) : short;

for (const name of chosen) {
  const [extension = '', ...args] = files[name] ?? [];

  let made: Promise<Uint8Array<ArrayBuffer>[]> | undefined;
  const whole = async (index: number): Promise<Uint8Array<ArrayBuffer>> => {
    made ??= makeEach(inputs, ['0:a', '1:a'], args, extension);
    return (await made)[index] ?? new Uint8Array();
  };

  test(`${name}: parts are cut in pauses and join without a gap`, async () => {
    const recording = await whole(0);
    const parts = await cut(recording, 20);
    expect(parts.length).toBeGreaterThanOrEqual(4);
    for (const { start, overlap, index } of parts) {
      expect(overlap).toBe(0);
      // The pauses are the first 0.6 s of every 7.
      if (index > 0) expect(start % 7).toBeLessThan(0.6);
    }
    await expectJoints([recording], parts);
  });

  test(`${name}: parts overlap where nobody pauses`, async () => {
    const recording = await whole(1);
    const parts = await cut(recording, 20);
    for (const { overlap } of parts.slice(1)) expect(Math.abs(overlap - 6)).toBeLessThan(0.1);
    const { sound, heard } = await expectJoints([recording], parts);
    // The warm-up is over when a part begins to count: its first tenth of a second is that of the whole.
    for (const { index, start, offset } of parts.slice(1)) {
      const own = heard[index]?.sound ?? new Float32Array();
      const [at, ownAt] = [start * rate, (start - offset) * rate].map(Math.round);
      expect(correlation(sound, at ?? 0, own, ownAt ?? 0, rate / 10)).toBeGreaterThan(0.97);
    }
  });
}

test('chained Ogg Opus: every link is in its parts, and its times go on from the link before', async () => {
  const links = await makeEach(inputs, ['0:a', '1:a'], ['-t', '33', '-c:a', 'libopus'], 'ogg');
  const parts = await cut(new Uint8Array(Buffer.concat(links)), 20);
  await expectJoints(links, parts);
});

test.each([
  ['-b:a', '64k'],
  ['-q:a', '4'],
])('mp3 (%s %s) that breaks off is refused unless that is accepted', async (...bitrate) => {
  const [whole = new Uint8Array()] = await makeEach(inputs, ['0:a'], bitrate, 'mp3');
  const half = whole.subarray(0, whole.length / 2);
  await expect(cut(half, 20)).rejects.toMatchObject({
    kind: 'damaged',
    message: expect.stringMatching(/^This recording \(mp3 .*breaks off after 3\d\.\d s/),
  });
  const parts = await cut(half, 20, true);
  const { sound } = await expectJoints([half], parts);
  expect(sound.length / rate).toBeGreaterThan(30);
});

test('a part is no larger than the limit', async () => {
  const [whole = new Uint8Array()] = await makeEach(inputs, ['0:a'], ['-ac', '2'], 'wav');
  const parts = await cutAll([whole], { maximumBytes: 1_000_000 });
  expect(parts.length).toBeGreaterThan(12);
  for (const { bytes } of parts) expect(bytes.length).toBeLessThanOrEqual(1_000_000);
  await expectJoints([whole], parts);
});

const cut = (bytes: Uint8Array<ArrayBuffer>, maximumSeconds: number, acceptTruncated = false) =>
  cutAll(new Blob([bytes]), { maximumSeconds, acceptTruncated, decode: decodeWithFfmpeg });

/** Every part has the sound of the whole in its place, at its start and at its end, and no moment is missing. */
async function expectJoints(
  links: readonly Uint8Array[],
  parts: readonly RecordingPart[],
): Promise<{ readonly sound: Float32Array; readonly heard: readonly Heard[] }> {
  const all = await listen([...links, ...parts.map(({ bytes }) => bytes)]);
  const sound = joined(all.slice(0, links.length));
  const heard = all.slice(links.length);
  let covered = 0;
  for (const { index, start, end = Number.NaN, overlap, offset } of parts) {
    expect(Math.abs(start + overlap - covered)).toBeLessThan(tolerance);
    covered = end;
    const { sound: own, start: first } = heard[index] ?? { sound: new Float32Array(), start: Number.NaN };
    // What a decoder leaves out is counted; the first sample that is heard is the one at 0.
    expect(Math.abs(first)).toBeLessThan(tolerance);
    expect(own.length / rate).toBeGreaterThan(end - offset - tolerance);
    for (const seconds of [start, (start + end) / 2 - 0.5, end - 1])
      expect([index, seconds, lagAt(sound, seconds, own, seconds - offset)]).toEqual([index, seconds, 0]);
  }
  expect(Math.abs(covered - sound.length / rate)).toBeLessThan(tolerance);
  return { sound, heard };
}

function joined(pieces: readonly Heard[]): Float32Array {
  const whole = new Float32Array(pieces.reduce((length, { sound }) => length + sound.length, 0));
  let end = 0;
  for (const { sound } of pieces) {
    whole.set(sound, end);
    end += sound.length;
  }
  return whole;
}

/** By how many milliseconds the second sound is late, looked for within 120 ms; NaN where they are not alike. */
function lagAt(whole: Float32Array, at: number, part: Float32Array, partAt: number): number {
  const length = 0.9 * rate;
  const start = Math.round(at * rate) + 800;
  const partStart = Math.round(partAt * rate) + 800;
  const best = (within: number): { readonly lag: number; readonly alike: number } => {
    let found = { lag: Number.NaN, alike: 0.8 };
    for (let lag = -within * rate; lag <= within * rate; lag += 2) {
      const alike = correlation(whole, start, part, partStart + lag, length);
      if (alike > found.alike) found = { lag, alike };
    }
    return found;
  };
  // Noise is this alike in one place only, so a wider search finds no better one.
  const near = best(0.004);
  const { lag } = near.alike > 0.9 ? near : best(0.12);
  return Math.round((lag / rate) * 1000) + 0;
}
