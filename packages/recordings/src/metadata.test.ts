import { expect, test } from 'vitest';
import { planSpeech, RecordingError } from './index.ts';
import { book, bookOptions, speakNoise } from './testing/speak.ts';

const textOf = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

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
  expect(() => planSpeech(5 as never)).toThrow(
    new TypeError('text must be a string; the request is { text }'),
  );
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
