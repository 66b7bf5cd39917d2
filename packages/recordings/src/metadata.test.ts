import { createOggPageWalker, measureAudio } from '@speech-api/audio';
import { expect, test } from 'vitest';
import { planSpeech, RecordingError } from './index.ts';
import { book, bookOptions, onePixel, speakNoise } from './testing/speak.ts';

const textOf = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

test.each([0, 300_000])(
  'an Ogg file has them in its comments, however large (a cover of %i bytes more)',
  async (more) => {
    const cover = new Uint8Array(onePixel.length + more);
    cover.set(onePixel);
    const { file, speech } = await speakNoise('opus', [4, 3, 2, 5], { ...bookOptions, cover });
    const pages = createOggPageWalker().push(file);
    expect(pages.map(({ sequenceNumber }) => sequenceNumber)).toEqual([...pages.keys()]);
    const comments = new TextDecoder().decode(await commentsOf(pages));
    expect(comments).toMatch(/^OpusTags/);
    expect(comments).toMatch(
      /TITLE=The Sea, 海[\s\S]+ARTIST=Ann Author[\s\S]+ALBUM=Ferries[\s\S]+PERFORMER=Ned[\s\S]+DATE=2026[\s\S]+GENRE=Audiobook[\s\S]+LANGUAGE=eng[\s\S]+CHAPTER000=00:00:00.000[\s\S]+CHAPTER001NAME=二：雨/,
    );
    expect(comments).toContain(`CHAPTER001=00:00:${speech.chapters[1]?.start.toFixed(3).padStart(6, '0')}`);
    expect(comments).toContain(`CHAPTER002=00:00:${speech.chapters[2]?.start.toFixed(3).padStart(6, '0')}`);
    // Each call makes its number of seconds, to the packet.
    expect(Math.abs((speech.chapters[2]?.start ?? 0) - 9)).toBeLessThan(0.08);
    const picture = /METADATA_BLOCK_PICTURE=([A-Za-z\d+/=]+)/.exec(comments)?.[1] ?? '';
    expect(Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0)).slice(-cover.length)).toEqual(
      cover,
    );
    expect(measureAudio(file, 'opus').seconds).toBeCloseTo(speech.duration, 1);
  },
);

test('pages of a large cover say that they go on with its packet, which ends on the last of them', async () => {
  const cover = new Uint8Array(100_000);
  cover.set(onePixel);
  const { speech } = await speakNoise('opus', [4, 3, 2, 5], { ...bookOptions, cover });
  const head = speech.head ?? new Uint8Array(0);
  const view = new DataView(head.buffer);
  const pages: [flags: number, granule: bigint][] = [];
  for (let position = 0; position < head.length; ) {
    pages.push([view.getUint8(position + 5), view.getBigInt64(position + 6, true)]);
    const segments = head.subarray(position + 27, position + 27 + view.getUint8(position + 26));
    position += 27 + segments.length + segments.reduce((sum, length) => sum + length, 0);
  }
  expect(pages).toEqual([
    [2, 0n],
    [0, -1n],
    [1, -1n],
    [1, 0n],
  ]);
});

/** The second packet, over however many pages it goes. */
async function commentsOf(
  pages: ReturnType<ReturnType<typeof createOggPageWalker>['push']>,
): Promise<Uint8Array> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for (const { packets } of pages.slice(1)) {
    for (const { bytes, isComplete } of packets) {
      pieces.push(bytes.slice());
      if (isComplete) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    }
  }
  throw new Error('the comments have no end');
}

test('the first bytes that are corrected at the end are as many as were written', async () => {
  for (const format of ['mp3', 'opus'] as const) {
    const { speech, file } = await speakNoise(format, [4, 3, 2, 5], bookOptions);
    const head = speech.head ?? new Uint8Array(0);
    expect(file.subarray(0, head.length)).toEqual(head);
    // Sound follows at once.
    const following = textOf(file.subarray(head.length, head.length + 4));
    expect(format === 'mp3' ? following.charCodeAt(0) : following).toBe(format === 'mp3' ? 0xff : 'OggS');
  }
});

test('each chapter begins a call of its own, and its heading is spoken without marks', async () => {
  const { texts, speech } = await speakNoise('wav', [4, 3, 2, 5], { chapters: true, maximumCharacters: 150 });
  expect(texts.map((text) => text.slice(0, 12))).toEqual([
    'One\nThe ferr',
    'The ferry le',
    '二：雨\n下雨了。',
    'Three & last',
  ]);
  expect(speech.head).toBeUndefined();
  expect(speech.chapters.map(({ start, end }) => [start, end])).toEqual([
    [0, 7],
    [7, 9],
    [9, 14],
  ]);
  expect(speech.toJSON().chapters).toEqual(speech.chapters);
});

test('a part that is far too short, or breaks off, is not kept in the journal', async () => {
  const kept = new Map<string, Uint8Array>();
  const journal = {
    read: async (key: string) => kept.get(key),
    write: async (key: string, part: Uint8Array) => void kept.set(key, part),
  };
  const short = speakNoise('wav', [4, 0.5], { ...bookOptions, cover: undefined, tags: {}, journal });
  await expect(short).rejects.toThrow(/Part 2 of 4 is 0\.5 s of audio for \d+ characters/);
  await expect(short).rejects.toBeInstanceOf(RecordingError);
  expect(kept.size).toBe(1);
  const { texts } = await speakNoise('wav', [3, 2, 5], {
    ...bookOptions,
    cover: undefined,
    tags: {},
    journal,
  });
  expect([texts.length, kept.size]).toEqual([3, 4]);
});

test('a fast voice is believed to be fast, and directions in brackets are not counted', async () => {
  const text = 'a'.repeat(99);
  const options = { cover: undefined, tags: {}, chapters: false };
  await expect(speakNoise('wav', [1.5], options, { text })).rejects.toThrow(/1\.5 s of audio/);
  await speakNoise('wav', [1.5], options, { text, prosody: { speed: 2 } });
  await speakNoise('wav', [0.2], options, { text: `<|speaker:0|>[${text}] (${text}) Oh.` });
  await expect(speakNoise('wav', [1.5], options, { text: '雨'.repeat(50) })).rejects.toThrow(/1\.5 s/);
});

test('what a file cannot hold is refused before anything is sent, and named', async () => {
  const cases: readonly (readonly [Parameters<typeof speakNoise>[0], object, RegExp])[] = [
    ['wav', { tags: { title: 'T' } }, /a wav file has no place for tags or a cover; use mp3 or opus/],
    ['mp3', { cover: new Uint8Array(9) }, /cover must be a jpeg or png picture/],
    ['mp3', { cover: new Uint8Array(10_000_001) }, /cover is 10000001 bytes; the limit is 10000000/],
    ['mp3', { tags: { titel: 'T' } }, /tags\.titel is unknown; use title, author/],
    ['mp3', { tags: { title: 'a\nb' } }, /tags\.title must be a line of text/],
    ['mp3', { tags: { title: 'a'.repeat(1001) } }, /tags\.title has 1001 characters; the limit is 1000/],
    ['mp3', { tags: { year: 'MMXX' } }, /tags\.year is "MMXX"; use four digits/],
  ];
  for (const [format, options, message] of cases)
    await expect(speakNoise(format, [], options)).rejects.toThrow(message);
});

test('a plan says what would be sent', () => {
  expect(planSpeech(book, { chapters: true, maximumCharacters: 150 }).chapters).toMatchObject([
    { title: 'One', firstPart: 0 },
    { title: '二：雨', firstPart: 2 },
    { title: 'Three & last', firstPart: 3 },
  ]);
  expect(planSpeech('One.').parts).toEqual(['One.']);
  expect(() => planSpeech('One.', { chapters: true })).toThrow(/text has no headings; begin them with #/);
  const many = Array.from({ length: 256 }, (_, index) => `# ${index}\n`).join('\n');
  expect(() => planSpeech(many, { chapters: true })).toThrow(/256 chapters; the limit is 255.*###/);
  const most = many.slice(many.indexOf('# 1\n'));
  expect(planSpeech(most, { chapters: true }).chapters.length).toBe(255);
});

test('the speaker of a dialogue is named again where a chapter begins', () => {
  const text = '# One\n\n<|speaker:1|>It rains.\n\n# Two\n\nIt pours.';
  expect(planSpeech(text, { chapters: true }).parts[1]).toBe('<|speaker:1|>Two\n\nIt pours.');
});
