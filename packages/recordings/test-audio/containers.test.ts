import { beforeAll, expect, test, vi } from 'vitest';
import { planRecording, RecordingError } from '../src/index.ts';
import { cutAll } from '../src/testing/files.ts';
import { decode, make } from './ffmpeg.ts';

/** 30 s of noise in which each second has its own loudness. */
const noise = [
  '-f',
  'lavfi',
  '-i',
  "anoisesrc=d=30:c=pink:r=48000:s=5,volume='0.1+0.02*floor(t)':eval=frame",
];
const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=5:d=34', '-c:v', 'mpeg2video'];
const aac = ['-c:a', 'aac', '-b:a', '64k'];

type Bytes = Uint8Array<ArrayBuffer>;
const seconds = async (bytes: Bytes): Promise<number> =>
  (await cutAll(new Blob([bytes]))).at(-1)?.end ?? Number.NaN;
/** The error message for a file that is too large to be sent whole. */
async function refusal(bytes: Bytes): Promise<string> {
  const error = await cutAll(new Blob([bytes]), { maximumBytes: 10_000 }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RecordingError);
  return String((error as Error).message);
}
/** Runs the command that the message advises. */
async function follow(message: string, path: string): Promise<Bytes> {
  const [, words = '', extension = ''] = /ffmpeg -i IN (.*) out\.(\w+)$/.exec(message) ?? [];
  return (await make(['-i', path, ...words.split(' ')], extension)).bytes;
}

let whole: { path: string; bytes: Bytes };
beforeAll(async () => {
  whole = await make([...noise, ...aac], 'm4a');
});

/** Replaces the only edit list that ffmpeg wrote by these entries: duration in ms, start in samples. */
function edited(bytes: Bytes, ...edits: readonly (readonly [duration: number, start: number])[]): Bytes {
  const text = new TextDecoder('latin1').decode(bytes);
  const at = text.indexOf('elst');
  const extra = 12 * (edits.length - 1);
  const list = new Uint8Array(12 * edits.length);
  const view = new DataView(list.buffer);
  for (const [index, [duration, start]] of edits.entries()) {
    view.setUint32(12 * index, duration);
    view.setInt32(12 * index + 4, start);
    view.setUint32(12 * index + 8, 0x1_0000);
  }
  const changed = new Uint8Array([...bytes.subarray(0, at + 12), ...list, ...bytes.subarray(at + 24)]);
  const grow = (position: number, by: number): void => {
    const all = new DataView(changed.buffer);
    all.setUint32(position, all.getUint32(position) + by);
  };
  for (const box of ['moov', 'trak', 'edts', 'elst']) grow(text.indexOf(box) - 4, extra);
  new DataView(changed.buffer).setUint32(at + 8, edits.length);
  return changed;
}

test('what one edit of an m4a file cuts out is not sent, at its start and at its end', async () => {
  const trimmed = edited(whole.bytes, [12_000, 48_000 * 8]);
  const [part, ...others] = await cutAll(new Blob([trimmed]));
  expect(others).toEqual([]);
  expect(part?.end).toBeCloseTo(12, 2);
  // The file holds a warm-up before the edit and nothing else.
  const sound = await decode(part?.bytes ?? new Uint8Array(), 48_000);
  expect(sound.length / 48_000).toBeLessThan(12.3);
  expect(part?.offset).toBeGreaterThan(-0.25);
});

test('an m4a file of several edits is sent whole with the reason, or refused by name when it is large', async () => {
  const printed = vi.spyOn(console, 'warn');
  const middle = edited(whole.bytes, [10_000, 0], [10_000, 48_000 * 20]);
  const several = expect.stringMatching(/may refuse it. .*edit list has several edits.*aresample/);
  expect(await cutAll(new Blob([middle]))).toMatchObject([{ end: undefined, note: several }]);
  expect((await planRecording(new Blob([middle]))).note).toEqual(several);
  const message = await refusal(middle);
  const { path } = await make(['-i', whole.path, '-t', '20', '-c', 'copy'], 'm4a');
  expect(await seconds(await follow(message, path))).toBeCloseTo(20, 1);
  // Only our own sentence speaks.
  expect(printed).not.toHaveBeenCalled();
});

test.each(['mp4', 'mkv'])(
  'of two tracks in %s the first is read, which is said, or the one that is named',
  async (extension) => {
    const second = ['-f', 'lavfi', '-i', 'sine=d=20'];
    const { bytes } = await make([...noise, ...second, '-map', '0', '-map', '1', ...aac], extension);
    const [first] = await cutAll(new Blob([bytes]));
    expect([first?.end, first?.note]).toEqual([
      expect.closeTo(30, 0),
      expect.stringContaining('2 tracks of sound'),
    ]);
    const [other] = await cutAll(new Blob([bytes]), { track: 2 });
    expect([other?.end, other?.note]).toEqual([expect.closeTo(20, 0), undefined]);
    await expect(cutAll(new Blob([bytes]), { track: 3 })).rejects.toThrow(
      'track is 3, and this file has 2 tracks',
    );
  },
);

test('an m4a file that lost its index is refused without a line that cannot work', async () => {
  const cut = cutAll(new Blob([whole.bytes.subarray(0, whole.bytes.length >> 1)]));
  await expect(cut).rejects.toThrow(/has no index.*Copy it again: without it no program can read the sound$/);
});

test.each([
  ['a last frame of silence', ['-ac', '1'], new Uint8Array(0)],
  ['a tag behind it', ['-ac', '2'], Uint8Array.from(Buffer.from('TAG'.padEnd(128, 'x')))],
  ['a line feed behind it', ['-ac', '1'], Uint8Array.of(10)],
])('a flac file with %s is whole', async (_name, channels, tail) => {
  const { bytes } = await make(['-f', 'lavfi', '-i', 'sine=d=3,apad=pad_dur=1', ...channels], 'flac');
  const file = new Uint8Array([...bytes, ...tail]);
  expect(await seconds(file)).toBeCloseTo(4, 3);
  const [part, ...others] = await cutAll([file]);
  expect([part?.end, others]).toEqual([expect.closeTo(4, 3), []]);
  expect((await decode(part?.bytes ?? new Uint8Array())).length / 16_000).toBeCloseTo(4, 3);
  const broken = new Blob([bytes.subarray(0, bytes.length - 20)]);
  await expect(cutAll(broken)).rejects.toThrow(/breaks off after [34]\.\d s/);
});

test('a pause is one in each channel: sound of opposite phase is none', async () => {
  const opposite = "anoisesrc=d=40:c=pink:r=16000:s=4,volume='if(between(t,21,22),0,1)':eval=frame";
  const sound = ['-f', 'lavfi', '-i', opposite, '-af', 'pan=stereo|c0=c0|c1=-1*c0'];
  const encoders = [
    ['wav'],
    ['opus', '-c:a', 'libopus'],
    ['flac'],
    ['mp3', '-b:a', '128k', '-joint_stereo', '0'],
  ];
  const encoded = await Promise.all(
    encoders.map(async ([extension = '', ...args]) => (await make([...sound, ...args], extension)).bytes),
  );
  for (const file of encoded) {
    const [first] = await cutAll(new Blob([file]), { maximumSeconds: 30 });
    expect(first?.end).toBeGreaterThan(21);
    expect(first?.end).toBeLessThan(22);
  }
});

test('an MPEG-TS file is sent whole, and the advice for a large one keeps the time before its sound', async () => {
  const args = ['-itsoffset', '4', ...noise, ...picture.slice(0, 4)];
  const { path, bytes } = await make(
    [...args, '-map', '0:a', '-map', '1:v', '-c:v', 'mpeg2video', ...aac],
    'ts',
  );
  expect(await cutAll(new Blob([bytes]))).toMatchObject([{ bytes, end: undefined }]);
  const message = await refusal(bytes);
  expect(message).toContain('an MPEG-TS file');
  expect(await seconds(await follow(message, path))).toBeCloseTo(34, 1);
});

test('a hole in an Ogg file of a call is silence, as in webm, and so is it in what the advice makes of it', async () => {
  const gap = ['-bsf:a', 'setts=ts=if(gte(PTS\\,480000)\\,PTS+240000\\,PTS)'];
  const call = await make([...noise, '-c:a', 'libopus', ...gap], 'ogg');
  expect(await seconds(call.bytes)).toBeCloseTo(35, 1);
  // Vorbis has no frame of silence.
  const vorbis = await make([...noise, '-c:a', 'libvorbis', ...gap], 'ogg');
  expect(await cutAll(new Blob([vorbis.bytes]))).toMatchObject([{ end: undefined }]);
  const message = await refusal(vorbis.bytes);
  expect(message).toMatch(/an Ogg file without sound from \d+\.\d s to \d+\.\d s/);
  expect(await seconds(await follow(message, vorbis.path))).toBeCloseTo(35, 0);
});

test.each([
  ['mp2', 'mp2'],
  ['au', 'pcm_s16be'],
  ['w64', 'pcm_s16le'],
  ['ac3', 'ac3'],
  ['tta', 'tta'],
  ['wv', 'wavpack'],
  ['aiff', 'pcm_s16be'],
  ['caf', 'pcm_s16le'],
  ['avi', 'mp2'],
  ['wma', 'wmav2'],
  ['m2ts', 'ac3'],
])(
  'a file of %s is sent whole while it is small, and the advice makes one that is cut',
  async (extension, codec) => {
    const { path, bytes } = await make([...noise, '-c:a', codec], extension);
    const message = await refusal(bytes);
    const note = `The recording is sent as it is, and the service may refuse it. ${message}`;
    expect(await cutAll(new Blob([bytes]))).toMatchObject([{ bytes, end: undefined, note }]);
    expect(await seconds(await follow(message, path))).toBeCloseTo(30, 0);
  },
);

test('a meeting of two parts is one part after the command that its plan names', async () => {
  const { path, bytes } = await make(['-f', 'lavfi', '-i', 'anoisesrc=d=240:r=44100:s=6', '-ac', '2'], 'wav');
  const { parts, conversionToOne = '' } = await planRecording(new Blob([bytes]));
  expect(parts.length).toBe(3);
  const converted = await planRecording(new Blob([await follow(conversionToOne, path)]));
  expect([converted.parts.length, converted.conversionToOne]).toEqual([1, undefined]);
  expect(converted.seconds).toBeCloseTo(240, 1);
});
