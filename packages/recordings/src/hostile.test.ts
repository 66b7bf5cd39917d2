import { beforeAll, expect, test } from 'vitest';
import { ascii, join } from './bytes.ts';
import { cutRecording, RecordingError } from './index.ts';
import {
  adtsFile,
  cutAll,
  inPieces,
  m4aFile,
  mp3File,
  noise,
  opusFile,
  vorbisFile,
  wavFile,
  webmFile,
} from './testing/files.ts';

type Bytes = Uint8Array<ArrayBuffer>;
const names = ['wav', 'mp3', 'Opus', 'Vorbis', 'adts', 'm4a', 'webm'] as const;
let files: Readonly<Record<(typeof names)[number], Bytes>>;
const wav = wavFile(noise(16_000 * 3), 16_000);
beforeAll(async () => {
  const [mp3, Opus, Vorbis, webm, m4a] = await Promise.all([
    mp3File(noise(44_100 * 3)),
    opusFile(noise(48_000 * 3)),
    vorbisFile(noise(44_100 * 6)),
    webmFile(350),
    m4aFile(300),
  ]);
  files = { wav, mp3, Opus, Vorbis, adts: adtsFile(300), m4a, webm };
});

const options = { maximumSeconds: 5 };
/** As a file, which is read at any place, and as a stream, which is read once. */
const ways = [
  (bytes: Bytes) => cutAll(new Blob([bytes]), options),
  (bytes: Bytes) => cutAll(inPieces(bytes, 4096), options),
];

/** Parts, or an error that says what is wrong. */
async function expectOutcome(cut: Promise<unknown[]>): Promise<void> {
  const outcome = await cut.catch((error: unknown) => error);
  if (Array.isArray(outcome)) expect(outcome.length).toBeGreaterThan(0);
  else expect(outcome).toBeInstanceOf(RecordingError);
}

test.each(names)(
  'a file of %s that is cut at any byte gives parts, or an error that says what is wrong',
  async (name) => {
    const whole = files[name];
    for (let step = 1; step < 60; step++)
      for (const cut of ways) await expectOutcome(cut(whole.slice(0, (whole.length * step) / 60)));
  },
  180_000,
);

test.each(names)('a file of %s that breaks off is refused unless that is accepted', async (name) => {
  const whole = files[name];
  const bytes = whole.slice(0, Math.floor(whole.length * 0.7) + 5);
  await expect(cutAll(new Blob([bytes]))).rejects.toThrow(/breaks off after \d\.\d s.*acceptTruncated/);
  const parts = await cutAll(new Blob([bytes]), { acceptTruncated: true });
  expect(parts.at(-1)?.end).toBeGreaterThan(1.5);
});

test.each<[string, () => Uint8Array, RegExp]>([
  ['nothing', () => new Uint8Array(0), /0 bytes/],
  ['zeros', () => new Uint8Array(2_000_000), /no wav, mp3, flac, Ogg, mp4/],
  [
    'an ID3 tag without end',
    () => join([ascii('ID3'), Uint8Array.of(4, 0, 0, 127, 127, 127, 127, 0, 0)]),
    /no audio/,
  ],
  ['a wav file without samples', () => wavFile(new Float32Array(0), 16_000), /no audio frame/],
  ['a wav file of no channels', () => withBytes(wav, 22, 0), /0 channels/],
  [
    'a chunk of two gigabytes',
    () => join([wav.slice(0, 12), ascii('LIST'), new Uint8Array(4).fill(127), wav.slice(36)]),
    /chunk of 2139062143 bytes/,
  ],
  [
    'a flac file of frames that never begin',
    () => join([ascii('fLaC'), Uint8Array.of(0x80, 0, 0, 34), new Uint8Array(300_000).fill(0x55)]),
    /no frame of sound/,
  ],
  [
    'a stream of flac above 32 MiB',
    () => join([ascii('fLaC'), new Uint8Array(2 ** 25)]),
    /up to 32 MiB.* a path/,
  ],
  ['less than a second', () => wavFile(noise(8000), 16_000), /0\.50 s long/],
  [
    'Ogg with a broken page',
    () => withBytes(files.Opus, files.Opus.length >> 1, 1, 2, 3),
    /pages are missing or broken/,
  ],
])('%s is refused in words', async (_name, build, message) => {
  const cut = cutAll(inPieces(build(), 4096), { ...options, maximumBytes: 50_000 });
  const error = await cut.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RecordingError);
  expect(String(error)).toMatch(message);
});

test.each([
  ['an amr file', join([ascii('#!AMR'), new Uint8Array(30_000)]), /amr.*ffmpeg/],
  ['a wav file of ADPCM', withBytes(wav, 20, 2), /codec 0x0002.*ffmpeg/],
])('%s is sent as it is while it is small, and refused when it is large', async (_name, bytes, message) => {
  const parts = await cutAll([bytes]);
  expect(parts).toMatchObject([{ bytes, offset: 0, start: 0, end: undefined }]);
  await expect(cutAll([bytes], { maximumBytes: 10_000 })).rejects.toThrow(message);
});

test('a hole in the packets of a webm file is filled with silence, and later words keep their time', async () => {
  const bytes = await webmFile(350, (index) => index * 0.02 + (index < 100 ? 0 : 3));
  const parts = await cutAll(new Blob([bytes]));
  expect(parts.length).toBe(1);
  expect(parts[0]?.end).toBeCloseTo(10 - 0.0065, 1);
  const far = await webmFile(2000, (index) => index * 0.02 + (index < 100 ? 0 : 80_000));
  const error = /webm file without sound from 2\.\d s to 80002\.\d s/;
  await expect(cutRecording(new Blob([far]), { maximumBytes: 10_000 }).next()).rejects.toThrow(error);
});

function withBytes(bytes: Uint8Array, position: number, ...values: readonly number[]): Bytes {
  const changed = bytes.slice();
  changed.set(values, position);
  return changed;
}
