import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columns } from './captions.ts';
import { asWritten, toCues, writeSrt, writeVtt } from './index.ts';

/** Segments of 0.4 s each, without pauses. */
function spoken(...texts: string[]) {
  return texts.map((text, index) => ({ text, start: index * 0.4, end: (index + 1) * 0.4 }));
}

describe('cues', () => {
  test('puts words on balanced lines no longer than asked, and cues of so many lines', () => {
    const cues = toCues(spoken('The', 'quick', 'brown', 'fox', 'jumps', 'over', 'it'), { lineLength: 10 });
    expect(cues.map(({ lines }) => lines)).toEqual([
      ['The quick', 'brown fox'],
      ['jumps', 'over it'],
    ]);
    expect(cues[1]).toMatchObject({ start: 1.6, end: 2.8 });
  });

  test('lasts a second and long enough to be read, but not into the next cue and not longer than a cue may', () => {
    const words = [
      { text: 'Quick', start: 0, end: 0.2 },
      { text: 'words', start: 1.2, end: 1.4 },
      { text: '很快', start: 9, end: 9.1 },
    ];
    const ends = (readingSpeed?: number) =>
      toCues(words, readingSpeed === undefined ? {} : { readingSpeed }).map(({ end }) => end);
    expect(ends()).toEqual([1, 2.2, 10]);
    expect(ends(4)).toEqual([1.2, 2.45, 10]);
    expect(ends(2)).toEqual([1.2, 3.7, 11]);
    expect(ends(0.1)).toEqual([1.2, 7.2, 15]);
  });

  const linesOf = (text: string, lineLength: number, linesPerCue = 99) =>
    toCues([{ text, start: 0, end: 3 }], { lineLength, linesPerCue })[0]?.lines;

  test.each([
    ['Chinese', '今天天气很好我们走吧', 10, ['今天天气很', '好我们走吧']],
    ['Chinese with closing marks', '你好，世界。', 4, ['你', '好，', '世', '界。']],
    ['Chinese with opening marks', '他说「你好」了', 6, ['他说', '「你', '好」了']],
    ['Japanese with small kana and long vowels', 'ちょっとコーヒー', 6, ['ちょっ', 'とコー', 'ヒー']],
    ['Thai', 'สวัสดีครับยินดีต้อนรับ', 9, ['สวัสดีครับ', 'ยินดีต้อนรับ']],
    ['Lao', 'ສະບາຍດີຂອບໃຈ', 8, ['ສະບາຍດີ', 'ຂອບໃຈ']],
    ['Khmer', 'សួស្តីអរគុណ', 6, ['សួស្តី', 'អរគុណ']],
  ])('breaks %s where its script allows', (_, text, lineLength, lines) => {
    expect(linesOf(text, lineLength)).toEqual(lines);
    // The words and times are the same, although a service may time single characters.
    const cues = toCues(spoken(...text), { lineLength, linesPerCue: 99, cueSeconds: 99 });
    expect(cues[0]?.lines).toEqual(lines);
  });

  test('joins lines of Chinese without a space', () => {
    expect(linesOf('今天\n天气', 80)).toEqual(['今天天气']);
  });

  test.each(['I love 北京 very much.', 'ten. 你好世界. After that', 'Hello , world !'])(
    'keeps the spaces of "%s"',
    (text) => expect(linesOf(text, 80)).toEqual([text]),
  );

  test('keeps punctuation with the word before it', () => {
    const [cue] = toCues(spoken('Hello', ',', 'world', '!'), { lineLength: 5 });
    expect(cue?.lines).toEqual(['Hello,', 'world!']);
  });

  test('writes Korean with spaces', () => {
    expect(toCues(spoken('안녕', '세계'))[0]?.lines).toEqual(['안녕 세계']);
  });

  test('ends a full cue with its last sentence, if that is near its end', () => {
    const cuesOf = (text: string) =>
      toCues(spoken(...text.split(' ')), { lineLength: 20 }).map(({ lines }) => lines);
    expect(cuesOf('The tide comes in at seven. Nobody is on the beach.')).toEqual([
      ['The tide comes', 'in at seven.'],
      ['Nobody is on', 'the beach.'],
    ]);
    expect(cuesOf('Yes. The tide comes in at a quarter to seven')).toEqual([
      ['Yes. The tide comes', 'in at a quarter to'],
      ['seven'],
    ]);
  });

  test('gives segments that overlap cues that do not', () => {
    const cues = toCues(
      [
        { text: 'and me', start: 0.2, end: 5, chunk_seq: 1 },
        { text: 'you', start: 0, end: 3, chunk_seq: 0 },
      ],
      {},
    );
    expect(cues.map(({ start, end, lines }) => [start, end, ...lines])).toEqual([
      [0, 0.2, 'you'],
      [0.2, 5, 'and me'],
    ]);
  });

  test('starts a new cue after a pause, at the longest duration and at a new chunk', () => {
    const words = [
      { text: 'a', start: 0, end: 1, chunk_seq: 0 },
      { text: 'b', start: 2, end: 3, chunk_seq: 0 },
      { text: 'c', start: 3, end: 4, chunk_seq: 0 },
      { text: 'd', start: 4, end: 5, chunk_seq: 0 },
      { text: 'e', start: 5, end: 6, chunk_seq: 1 },
    ];
    const cues = toCues(words, { cueSeconds: 2, pauseSeconds: 1 });
    expect(cues.map(({ lines }) => lines.join('/'))).toEqual(['a', 'b c', 'd', 'e']);
  });

  test('leaves no gap shorter than two frames', () => {
    const ends = (gap: number) =>
      toCues([
        { text: 'One.', start: 0, end: 2, chunk_seq: 0 },
        { text: 'Two.', start: 2 + gap, end: 4, chunk_seq: 1 },
      ])[0]?.end;
    expect(ends(0.082)).toBe(2.082);
    expect(ends(0.09)).toBe(2);
  });

  test('shares out the time of a long sentence', () => {
    const cues = toCues([{ text: 'aaaa bbbb cccc dddd', start: 10, end: 12 }], {
      lineLength: 9,
      linesPerCue: 1,
    });
    expect(cues).toEqual([
      { start: 10, end: 11, lines: ['aaaa bbbb'] },
      { start: 11, end: 12, lines: ['cccc dddd'] },
    ]);
  });

  test('keeps every word, in order, whatever the options', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/);
    const options = fc.record({
      lineLength: fc.integer({ min: 1, max: 60 }),
      linesPerCue: fc.integer({ min: 1, max: 3 }),
    });
    fc.assert(
      fc.property(fc.array(word), options, (words, chosen) => {
        const cues = toCues(spoken(...words), chosen);
        expect(cues.flatMap(({ lines }) => lines.flatMap((line) => line.split(' ')))).toEqual(words);
        for (const { lines } of cues) {
          expect(lines.length).toBeLessThanOrEqual(chosen.linesPerCue);
          for (const line of lines)
            if (line.includes(' ')) expect(columns(line)).toBeLessThanOrEqual(chosen.lineLength);
        }
        cues.slice(1).forEach((cue, index) => {
          expect(cues[index]?.end).toBeLessThanOrEqual(cue.start);
        });
      }),
    );
  });
});

describe('formats', () => {
  const words = [
    { text: 'one', start: 0, end: 0.4 },
    { text: 'two', start: 3661.0004, end: 3661.9996 },
  ];

  test('writes WebVTT', () => {
    expect(writeVtt(words)).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\none\n\n01:01:01.000 --> 01:01:02.000\ntwo\n',
    );
  });

  test('writes SubRip', () => {
    expect(writeSrt(words)).toBe(
      '1\n00:00:00,000 --> 00:00:01,000\none\n\n2\n01:01:01,000 --> 01:01:02,000\ntwo\n',
    );
  });

  test('escapes what would be markup or an arrow, and breaks no cue with a line break', () => {
    const text = [{ text: 'a<b>\n\n&-->c --->d {\\an8}</i> <3', start: 0, end: 1 }];
    expect(writeVtt(text)).toContain('\na&lt;b&gt; &amp;--&gt;c ---&gt;d {\\an8}&lt;/i&gt; &lt;3\n');
    // Players show a tag literally if it begins with a zero-width space.
    expect(writeSrt(text)).toContain('\na<\u200bb> &->c ->d {\u200b\\an8}<\u200b/i> <\u200b3\n');
    expect(writeSrt([{ text: 'a < b && c > d', start: 0, end: 1 }])).toContain('\na <\u200b b && c > d\n');
  });
});

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
  ['See Ⓐ, then ①.', ['see', 'Ⓐ', 'then', '①']],
])('%s is shown as it is written', (content, words) => {
  expect(captionOf(content, ...words)).toBe(content);
});

test('a cue has one speaker, and names it', () => {
  const dialogue = '<|speaker:0|>Good <|speaker:1|>Hello!<|speaker:0|> Yes?';
  const segments = asWritten(spoken('good', 'well', 'hello', 'yes'), dialogue, ['Anna <A>']);
  expect(segments.map(({ speaker }) => speaker)).toEqual(['Anna <A>', 'Anna <A>', 'Speaker 2', 'Anna <A>']);
  expect(writeVtt(segments)).toContain('\n<v Anna &lt;A&gt;>Good well\n\n');
  expect(writeSrt(segments)).toContain('\nSpeaker 2: Hello!\n\n');
  expect(toCues(segments).map(({ lines }) => lines)).toEqual([['Good well'], ['Hello!'], ['Yes?']]);
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
