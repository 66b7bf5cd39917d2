import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { asWritten } from './as-written.ts';
import { toCues } from './captions.ts';

/** Segments of 0.2 s each, without pauses. */
const spoken = (...texts: string[]) =>
  texts.map((text, index) => ({ text, start: index * 0.2, end: (index + 1) * 0.2 }));

/** The caption of these words, on one line. */
const captionOf = (content: string, ...words: string[]) =>
  toCues(asWritten(spoken(...words), content), { lineLength: 200, cueSeconds: 60 })
    .flatMap(({ lines }) => lines)
    .join(' / ');

test.each([
  ['Hello, world! How are you?', ['hello', 'world', 'how', 'are', 'you']],
  ["It's the sailor's “old” boat; don't wait…", ['its', 'the', 'sailors', 'old', 'boat', 'dont', 'wait']],
  [
    'A well-known word — and another—there (at last).',
    'a well known word and another there at last'.split(' '),
  ],
  ['¿Qué tal? ¡Bien!', ['qué', 'tal', 'bien']],
  ['你好，世界。', ['你', '好', '世', '界']],
  ['「𠀀好」', ['𠀀', '好']],
  ['I love 北京 very much.', ['i', 'love', '北', '京', 'very', 'much']],
  ['I love 北京 very much.', ['i', 'love', '北京', 'very', 'much']],
  ['ten. 你好世界. After that', ['ten', '你', '好', '世', '界', 'after', 'that']],
  ['我用Visual Studio写代码', ['我', '用', 'visual', 'studio', '写', '代', '码']],
  ['Hello, world!', ['Hello', ',', 'world', '!']],
])('%s is shown as it is written', (content, words) => {
  expect(captionOf(content, ...words)).toBe(content);
});

test('tags of speakers are not shown', () => {
  expect(captionOf('<|speaker:0|>Good morning.<|speaker:1|>Hello!', 'good', 'morning', 'hello')).toBe(
    'Good morning. Hello!',
  );
});

test('a word that is spelt otherwise stays as it was aligned, and those after it are found again', () => {
  expect(captionOf('We saw 20 ships, at dusk.', 'we', 'saw', 'twenty', 'ships', 'at', 'dusk')).toBe(
    'We saw twenty ships, at dusk.',
  );
});

test('of a snapshot that grows, the words so far are shown without what follows them', () => {
  expect(captionOf('Hello, world! How are you?', 'hello', 'world')).toBe('Hello, world!');
  expect(captionOf('Hello, world! How are you?', 'hello')).toBe('Hello,');
});

test('a word is looked for near its place only, and not in all that follows', () => {
  const words = Array.from({ length: 50 }, (_, index) => `other${index}`);
  const search = vi.spyOn(String.prototype, 'indexOf');
  const written = asWritten(spoken(...words), 'Something else. '.repeat(1000));
  const lengths = search.mock.contexts.map((text) => String(text).length);
  search.mockRestore();
  expect(written.map(({ text }) => text)).toEqual(words);
  expect(lengths.filter((length) => length > 100)).toEqual([]);
  expect(lengths).not.toEqual([]);
});

test('another text changes no word', () => {
  expect(captionOf('Something else.', 'hello', 'world')).toBe('hello world');
  expect(captionOf('', 'hello', 'world')).toBe('hello world');
});

test('times and order stay as they are, whatever the text', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.string({ minLength: 1 })), (content, words) => {
      const segments = spoken(...words);
      const written = asWritten(segments, content);
      const starts = written.map(({ start }) => start);
      expect(starts).toEqual(starts.toSorted((left, right) => left - right));
      for (const { start, end } of written)
        expect(segments).toContainEqual(expect.objectContaining({ start, end }));
    }),
  );
});
