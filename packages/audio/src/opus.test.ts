import { beforeAll, describe, expect, test } from 'vitest';
import { joinBytes } from './bytes.ts';
import {
  createOggPageWalker,
  createOpusReader,
  OggWriter,
  type OpusPacket,
  opusPacketSamples,
  writeOggComments,
} from './index.ts';
import { opusTone } from './testing/audio.ts';

function read(pieces: readonly Uint8Array[]): OpusPacket[] {
  const reader = createOpusReader();
  return pieces.flatMap((piece) => reader.push(piece));
}

function samplesOf(packets: readonly OpusPacket[]): number {
  return packets.reduce((sum, packet) => sum + packet.samples - packet.discardStart - packet.discardEnd, 0);
}

let file: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  file = await opusTone(0.5);
});

describe('ogg page walker', () => {
  test('skips damaged pages and bytes outside of pages', () => {
    const walker = createOggPageWalker();
    const good = new OggWriter(7).page([Uint8Array.of(1, 2, 3)], 0);
    const bad = new Uint8Array(good);
    bad[29] = 99;
    const pages = walker.push(joinBytes([new TextEncoder().encode('OggOgg'), bad, good]));
    expect(pages.length).toBe(1);
    expect(walker.skippedBytes).toBe(6 + bad.length);
  });

  test('joins a packet that goes over several pages, and drops it where one of them was lost', () => {
    const long = new Uint8Array(255 * 600 + 100).fill(3);
    const short = Uint8Array.of(5);
    const file = new OggWriter(7).headers([short, long, short]);
    const packetsOf = (bytes: Uint8Array) =>
      createOggPageWalker()
        .push(bytes)
        .flatMap(({ packets }) => packets);
    expect(packetsOf(file)).toEqual([short, long, short]);
    const [second, third, fourth] = [0, 1, 2].map((page) => 28 + 1 + page * (27 + 255 + 255 * 255));
    for (const [from, to] of [
      [second, third],
      [third, fourth],
    ])
      expect(packetsOf(joinBytes([file.subarray(0, from), file.subarray(to)]))).toEqual([short, short]);
    const walker = createOggPageWalker();
    walker.push(file.subarray(0, third));
    expect(walker.pendingBytes).toBe(255 * 255);
  });
});

describe('opus reader', () => {
  test.each([0.02, 0.5, 1, 1.2345])('keeps exactly %d seconds', async (seconds) => {
    for (const packetsAPage of [1, 3, 50]) {
      const packets = read([await opusTone(seconds, packetsAPage)]);
      expect(samplesOf(packets)).toBe(Math.round(seconds * 48000));
      expect(packets[0]?.discardStart).toBe(312);
    }
  });

  test('reads files that follow each other', async () => {
    const second = await opusTone(0.25);
    expect(samplesOf(read([joinBytes([file, second])]))).toBe(36000);
  });

  test('refuses Ogg with another codec and what is not Ogg', () => {
    const vorbis = new OggWriter(7).page([writeOggComments('\x01vorbis', 'tests')], 0);
    expect(() => read([vorbis])).toThrow(expect.objectContaining({ kind: 'unsupported' }));
    expect(() => read([new Uint8Array(70_000)])).toThrow(expect.objectContaining({ kind: 'not-recognised' }));
  });

  test.each([
    ['SILK, 10 ms', [0 << 3], 480],
    ['SILK, 60 ms', [3 << 3], 2880],
    ['hybrid, 20 ms', [13 << 3], 960],
    ['CELT, 2.5 ms', [16 << 3], 120],
    ['CELT, 20 ms', [31 << 3], 960],
    ['two frames', [(31 << 3) | 1], 1920],
    ['two frames of other sizes', [(31 << 3) | 2], 1920],
    ['six frames', [(31 << 3) | 3, 6], 5760],
    ['nothing', [], 0],
  ])('knows the length of a packet: %s', (_, bytes, samples) => {
    expect(opusPacketSamples(Uint8Array.from(bytes))).toBe(samples);
  });
});
