import { readWavHeader, wavSizeFixes } from '@speech-api/audio';
import { expect, test } from 'vitest';
import { cutRecording } from './index.ts';
import { openReader } from './open-reader.ts';
import { noise, wavFile } from './testing/files.ts';

const sound = noise(16_000 * 12);
const source = wavFile(sound, 16_000);

/** A wav file as `speakLong` writes it, its sizes made true as if the fields held no more than `largestSize`. */
function finished(largestSize?: number): Uint8Array<ArrayBuffer> {
  const reader = openReader(source).reader;
  const bytes: Uint8Array[] = [];
  const events = [...reader.push(source), ...reader.end()];
  const track = events.find((event) => event.type === 'track')?.track;
  const writer = track?.startJoined?.().writer;
  for (const event of events) if (event.type === 'packet') bytes.push(...(writer?.write(event.packet) ?? []));
  const file = new Uint8Array(bytes.flatMap((piece) => [...piece]));
  const header = readWavHeader(file);
  if (header === undefined) throw new Error('the file has no header');
  for (const fix of wavSizeFixes(header, file.length, largestSize)) file.set(fix.bytes, fix.position);
  return file;
}

const textAt = (bytes: Uint8Array, start: number): string =>
  new TextDecoder().decode(bytes.subarray(start, start + 4));

test('a long wav file is RIFF with true sizes while they fit, and RF64 beyond', async () => {
  const small = finished();
  expect([textAt(small, 0), textAt(small, 12)]).toEqual(['RIFF', 'JUNK']);
  const large = finished(100_000);
  expect([textAt(large, 0), textAt(large, 12)]).toEqual(['RF64', 'ds64']);
  const view = new DataView(large.buffer);
  expect([view.getUint32(4, true), view.getUint32(76, true)]).toEqual([0xffff_ffff, 0xffff_ffff]);
  const sizes = [20, 28, 36].map((position) => Number(view.getBigUint64(position, true)));
  expect(sizes).toEqual([large.length - 8, 2 * sound.length, sound.length]);
  for (const file of [small, large]) {
    const samples: number[] = [];
    for await (const { bytes } of cutRecording([file])) samples.push((bytes.length - 44) / 2);
    expect(samples).toEqual([sound.length]);
  }
});

test('the sizes of five gigabytes are those of RF64, by default from four gigabytes on', () => {
  const header = readWavHeader(finished());
  if (header === undefined) throw new Error('the file has no header');
  const streamed = { ...header, declaredDataBytes: undefined };
  expect(wavSizeFixes(streamed, 0xffff_ffff + 8).length).toBe(2);
  const [name, , sizes] = wavSizeFixes(streamed, 0xffff_ffff + 9);
  expect(textAt(name?.bytes ?? new Uint8Array(4), 0)).toBe('RF64');
  expect(new DataView(sizes?.bytes.buffer ?? new ArrayBuffer(36)).getBigUint64(16, true)).toBe(
    BigInt(0xffff_ffff + 9 - 80),
  );
  const { hasRoomForLargeSizes: _, ...plain } = streamed;
  expect(wavSizeFixes(plain, 0xffff_ffff + 9)).toEqual([]);
});

test('an RF64 file that breaks off is found out by its large sizes', async () => {
  const bytes = finished(100_000).slice(0, 200_000);
  await expect(cutRecording([bytes]).next()).rejects.toThrow(/breaks off after 6\.2 s/);
});
