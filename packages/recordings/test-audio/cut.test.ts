import { beforeAll, expect, test } from 'vitest';
import type { RecordingPart } from '../src/index.ts';
import { cutAll } from '../src/testing/files.ts';
import { correlation, type Heard, listen, make, makeEach } from './ffmpeg.ts';

const rate = 16_000;
/** The interface allows no larger error at a joint. Seconds. */
const tolerance = 0.03;

/** Noise that swells and falls like syllables, with a pause of 0.6 s every 7 s, and nowhere repeats. */
const speechLike = [
  '-f',
  'lavfi',
  '-i',
  "anoisesrc=d=75:c=pink:r=44100:a=0.6:s=7,lowpass=f=3000,volume='if(lt(mod(t,7),0.6),0.0005,0.4+0.3*sin(t*19)*sin(t*3.1))':eval=frame",
];
/** The same noise without any pause. */
const restless = ['-f', 'lavfi', '-i', 'anoisesrc=d=75:c=pink:r=44100:a=0.6:s=8,lowpass=f=3000'];

/** A film's picture. */
const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=5:d=75', '-c:v', 'mpeg4'];

/** Both sounds and the picture, from which all other files are made. */
let inputs: string[];
beforeAll(async () => {
  const made = await Promise.all([make(speechLike, 'wav'), make(restless, 'wav'), make(picture, 'mp4')]);
  inputs = made.map(({ path }) => path);
});
const film = ['-map', '2:v', '-c:v', 'copy'];
const fragments = ['-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '2000000'];

type Made = readonly [extensionOfParts: string, extension: string, ...args: string[]];

/** Readable codecs by container: how ffmpeg makes a file, and what its parts are. The README names them. */
const readable: Readonly<Record<string, Readonly<Record<string, Made>>>> = {
  wav: {
    'PCM of 16 bits': ['wav', 'wav'],
    'PCM of 24 bits, 6 channels, extensible': ['wav', 'wav', '-ac', '6', '-c:a', 'pcm_s24le'],
    float: ['wav', 'wav', '-c:a', 'pcm_f32le', '-ac', '2'],
    'A-law': ['wav', 'wav', '-c:a', 'pcm_alaw', '-ar', '8000'],
    RF64: ['wav', 'wav', '-rf64', 'always'],
  },
  mp3: {
    'constant bitrate': ['mp3', 'mp3', '-b:a', '128k', '-ac', '2'],
    'variable bitrate': ['mp3', 'mp3', '-q:a', '5'],
    '16 kHz': ['mp3', 'mp3', '-ar', '16000', '-b:a', '32k'],
    'no information frame': ['mp3', 'mp3', '-write_xing', '0', '-b:a', '64k', '-ar', '44100'],
    'a large ID3 tag': ['mp3', 'mp3', '-b:a', '96k', '-metadata', `comment=${'x'.repeat(100_000)}`],
  },
  flac: {
    '16 bits': ['flac', 'flac'],
    '24 bits at 48 kHz': ['flac', 'flac', '-ar', '48000', '-sample_fmt', 's32', '-ac', '2'],
  },
  Ogg: {
    Opus: ['ogg', 'ogg', '-c:a', 'libopus', '-b:a', '24k'],
    'Opus of 60 ms, stereo': ['ogg', 'ogg', '-c:a', 'libopus', '-frame_duration', '60', '-ac', '2'],
    'Opus, constant bitrate': ['ogg', 'ogg', '-c:a', 'libopus', '-vbr', 'off', '-b:a', '48k'],
    Vorbis: ['ogg', 'ogg', '-c:a', 'libvorbis', '-q:a', '4'],
    'Vorbis, stereo at 32 kHz': ['ogg', 'ogg', '-c:a', 'libvorbis', '-ac', '2', '-ar', '32000'],
  },
  'm4a, mp4': {
    'AAC, index at the end': ['aac', 'm4a', '-c:a', 'aac', '-b:a', '96k', '-ac', '2'],
    'AAC, index at the start': ['aac', 'm4a', '-c:a', 'aac', '-ar', '24000', '-movflags', '+faststart'],
    'AAC of a film': ['aac', 'mp4', ...film, '-c:a', 'aac', '-b:a', '96k'],
    'AAC in fragments': ['aac', 'mp4', '-c:a', 'aac', ...fragments],
    Opus: ['ogg', 'mp4', '-c:a', 'libopus', '-b:a', '32k'],
  },
  mov: { PCM: ['wav', 'mov', '-c:a', 'pcm_s16le'] },
  webm: {
    Opus: ['ogg', 'webm', '-c:a', 'libopus', '-b:a', '32k'],
    Vorbis: ['ogg', 'webm', '-c:a', 'libvorbis', '-q:a', '4'],
  },
  Matroska: {
    'FLAC of a film': ['flac', 'mkv', ...film, '-c:a', 'flac', '-sample_fmt', 's16'],
    AAC: ['aac', 'mka', '-c:a', 'aac', '-ar', '16000'],
    mp3: ['mp3', 'mka', '-c:a', 'libmp3lame', '-b:a', '96k'],
    PCM: ['wav', 'mka', '-c:a', 'pcm_s16le', '-ar', '16000'],
  },
  adts: { AAC: ['aac', 'aac', '-c:a', 'aac', '-b:a', '96k'] },
};

/** One file per container and way of cutting; `EVERY_CASE=1` takes all. */
const short: Readonly<Record<string, readonly string[]>> = {
  wav: ['PCM of 16 bits'],
  mp3: ['variable bitrate', 'no information frame'],
  flac: ['16 bits'],
  Ogg: ['Opus', 'Vorbis'],
  'm4a, mp4': ['AAC, index at the end', 'AAC in fragments'],
  mov: ['PCM'],
  webm: ['Opus'],
  Matroska: ['FLAC of a film'],
  adts: ['AAC'],
};
const chosen = Object.entries(readable).flatMap(([container, files]) =>
  Object.entries(files)
    .filter(([name]) => process.env.EVERY_CASE === '1' || short[container]?.includes(name))
    .map(([name, made]) => [`${container}, ${name}`, made] as const),
);

for (const [name, [extensionOfParts, extension, ...args]] of chosen) {
  let made: Promise<Uint8Array<ArrayBuffer>[]> | undefined;
  const whole = async (index: number): Promise<Uint8Array<ArrayBuffer>> => {
    made ??= makeEach(inputs, ['0:a', '1:a'], args, extension);
    return (await made)[index] ?? new Uint8Array();
  };

  // These codecs are not decoded here.
  const isDecoded = extensionOfParts !== 'aac' && !args.includes('libvorbis');
  const testPauses = (work: () => Promise<void>): void => {
    if (isDecoded) test(`${name}: parts are cut in pauses and join without a gap`, work);
  };
  testPauses(async () => {
    const recording = await whole(0);
    const parts = await cut(recording, 20);
    expect(parts.length).toBeGreaterThanOrEqual(4);
    expect(parts[0]?.name).toBe(`part-0001.${extensionOfParts}`);
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
    // The warm-up ends where a part begins to count: the next tenth of a second equals the whole recording.
    for (const { index, start, offset } of parts.slice(1)) {
      const clip = heard[index]?.sound ?? new Float32Array();
      const [at, ownAt] = [start * rate, (start - offset) * rate].map(Math.round);
      expect(correlation(sound, at ?? 0, clip, ownAt ?? 0, rate / 10)).toBeGreaterThan(0.97);
    }
  });
}

test('chained Ogg Opus: every link is in its parts, and its times go on from the link before', async () => {
  const links = await makeEach(inputs, ['0:a', '1:a'], ['-t', '33', '-c:a', 'libopus'], 'ogg');
  const parts = await cut(new Uint8Array(Buffer.concat(links)), 20);
  await expectJoints(links, parts);
});

const cut = (bytes: Uint8Array<ArrayBuffer>, maximumSeconds: number) =>
  cutAll(new Blob([bytes]), { maximumSeconds });

/** Checks that every part equals the whole recording at its place, and that no moment is missing. */
async function expectJoints(
  links: readonly Uint8Array[],
  parts: readonly RecordingPart[],
): Promise<{ readonly sound: Float32Array; readonly heard: readonly Heard[] }> {
  const all = await listen([...links, ...parts.map(({ bytes }) => bytes)]);
  const sound = new Float32Array(all.slice(0, links.length).flatMap((link) => [...link.sound]));
  const clips = all.slice(links.length);
  let covered = 0;
  for (const { index, start, end = Number.NaN, overlap, offset } of parts) {
    expect(Math.abs(start + overlap - covered)).toBeLessThan(tolerance);
    covered = end;
    const { sound: clip, start: first } = clips[index] ?? { sound: new Float32Array(), start: Number.NaN };
    // Samples that a decoder skips are counted, so the first audible sample is at 0.
    expect(Math.abs(first)).toBeLessThan(tolerance);
    expect(clip.length / rate).toBeGreaterThan(end - offset - tolerance);
    for (const seconds of [start, (start + end) / 2 - 0.5, end - 1])
      expect([index, seconds, lagAt(sound, seconds, clip, seconds - offset)]).toEqual([index, seconds, 0]);
  }
  expect(Math.abs(covered - sound.length / rate)).toBeLessThan(tolerance);
  return { sound, heard: clips };
}

/** Milliseconds by which the second sound lags, within 120 ms; NaN if the sounds are not alike. */
function lagAt(whole: Float32Array, at: number, part: Float32Array, partAt: number): number {
  const length = 0.9 * rate;
  const start = Math.round(at * rate) + 800;
  const partStart = Math.round(partAt * rate) + 800;
  const best = (within: number): { readonly lag: number; readonly alike: number } => {
    let closest = { lag: Number.NaN, alike: 0.8 };
    for (let lag = -within * rate; lag <= within * rate; lag += 2) {
      const alike = correlation(whole, start, part, partStart + lag, length);
      if (alike > closest.alike) closest = { lag, alike };
    }
    return closest;
  };
  // Noise matches in one place only, so a wider search finds nothing better.
  const near = best(0.004);
  const { lag } = near.alike > 0.9 ? near : best(0.12);
  return Math.round((lag / rate) * 1000) + 0;
}
