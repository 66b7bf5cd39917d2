import { expect, test } from 'vitest';
import { encode, tone } from '../../uploads/testing/sounds.ts';
import { readOgg } from '../testing/read-audio.ts';

test('opus has every sample, states how many there are, and leaves in small pages', async () => {
  const seconds = 2;
  const [head, , ...pages] = readOgg(await encode(tone(seconds), { format: 'opus', sampleRate: 48_000 }));
  const preSkip = Buffer.from(head?.packets[0] ?? []).readUInt16LE(10);
  expect(pages.at(-1)?.granulePosition).toBe(preSkip + seconds * 48_000);
  const packets = pages.flatMap((page) => page.packets);
  expect(packets.length * 960).toBeGreaterThanOrEqual(preSkip + seconds * 48_000);
  for (const page of pages) expect(page.packets.length).toBeLessThanOrEqual(5);
});
