import { beforeAll, describe, expect, test } from 'vitest';
import { createOggPageWalker, createOpusReader, type OpusPacket, opusPacketSamples } from './index.ts';
import { inPieces, join, opusTone } from './testing/audio.ts';
import { oggPage, opusHeaders } from './testing/ogg-writer.ts';

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
    const good = oggPage({ sequence: 5, packets: [Uint8Array.of(1, 2, 3)] });
    const bad = new Uint8Array(good);
    bad[29] = 99;
    const pages = walker.push(join([new TextEncoder().encode('OggOgg'), bad, good]));
    expect(pages.length).toBe(1);
    expect(walker.skippedBytes).toBe(6 + bad.length);
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

  test('does not depend on how the file is cut', () => {
    const whole = read([file]);
    for (const size of [1, 2, 3, 27, 100, 1000]) expect(read(inPieces(file, size))).toEqual(whole);
  });

  test('reads the head', () => {
    const reader = createOpusReader();
    reader.push(file);
    expect(reader.head).toEqual({
      channels: 1,
      preSkip: 312,
      mappingFamily: 0,
    });
  });

  test('joins a packet that goes over several pages and drops one whose page was lost', () => {
    const long = new Uint8Array(255 * 3 + 100).fill(0xfc);
    const pages = [
      ...opusHeaders(0),
      oggPage({ sequence: 2, granule: -1, packets: [long.subarray(0, 510)], isOpenEnded: true }),
      oggPage({ flags: 1, sequence: 3, granule: 960, packets: [long.subarray(510)] }),
      oggPage({ sequence: 4, granule: 1920, packets: [Uint8Array.of(0xfc, 1)] }),
    ];
    expect(read([join(pages)]).map(({ bytes }) => bytes.length)).toEqual([long.length, 2]);
    expect(read([join(pages.filter((_, index) => index !== 2))]).map(({ bytes }) => bytes.length)).toEqual([
      2,
    ]);
    expect(read([join(pages.filter((_, index) => index !== 3))]).map(({ bytes }) => bytes.length)).toEqual([
      2,
    ]);
  });

  test('does not join the rest of a packet whose middle page was lost', () => {
    const long = new Uint8Array(255 * 5).fill(0xfc);
    const pages = [
      ...opusHeaders(0),
      oggPage({ sequence: 2, granule: -1, packets: [long.subarray(0, 510)], isOpenEnded: true }),
      oggPage({
        sequence: 4,
        flags: 1,
        granule: 960,
        packets: [long.subarray(1020), Uint8Array.of(0xfc, 1)],
      }),
    ];
    expect(read([join(pages)]).map(({ bytes }) => bytes.length)).toEqual([2]);
  });

  test('reads files that follow each other', async () => {
    const second = await opusTone(0.25);
    expect(samplesOf(read([join([file, second])]))).toBe(36000);
  });

  test('refuses Ogg with another codec and what is not Ogg', () => {
    const vorbis = oggPage({
      flags: 2,
      sequence: 0,
      packets: [new TextEncoder().encode('\x01vorbis0123456789abcdef')],
    });
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
