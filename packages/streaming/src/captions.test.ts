import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columns } from './captions.ts';
import { toCues, writeSrt, writeVtt } from './index.ts';

/** Segments of 0.4 s each, without pauses. */
function spoken(...texts: string[]) {
  return texts.map((text, index) => ({ text, start: index * 0.4, end: (index + 1) * 0.4 }));
}

describe('cues', () => {
  test('puts words on lines no longer than asked and cues of so many lines', () => {
    const cues = toCues(spoken('The', 'quick', 'brown', 'fox', 'jumps', 'over', 'it'), { lineLength: 10 });
    expect(cues.map(({ lines }) => lines)).toEqual([
      ['The quick', 'brown fox'],
      ['jumps over', 'it'],
    ]);
    expect(cues[1]).toMatchObject({ start: 1.6, end: 2.8 });
  });

  test('stays long enough to be read, but not into the next cue', () => {
    const words = [
      { text: 'Quick', start: 0, end: 0.2 },
      { text: 'words', start: 1.2, end: 1.4 },
      { text: '很快', start: 9, end: 9.1 },
    ];
    const ends = (readingSpeed?: number) =>
      toCues(words, readingSpeed === undefined ? {} : { readingSpeed }).map(({ end }) => end);
    expect(ends()).toEqual([0.2, 1.4, 9.1]);
    expect(ends(10)).toEqual([0.5, 1.7, 9.4]);
    expect(ends(2)).toEqual([1.2, 3.7, 11]);
  });

  test('writes Chinese without spaces, each character two columns wide', () => {
    const cues = toCues(spoken(...'今天天气很好我们走吧'), { lineLength: 10, linesPerCue: 1 });
    expect(cues.map(({ lines }) => lines)).toEqual([['今天天气很'], ['好我们走吧']]);
  });

  test('keeps the spaces of a sentence beside Chinese, and joins Chinese', () => {
    const lineOf = (text: string) => toCues([{ text, start: 0, end: 3 }], { lineLength: 80 })[0]?.lines;
    for (const text of [
      'I love 北京 very much.',
      'ten. 你好世界. After that',
      '我用Visual Studio写代码',
      'Hello , world !',
    ])
      expect(lineOf(text)).toEqual([text]);
    expect(lineOf('今天\n天气')).toEqual(['今天天气']);
  });

  test('writes Korean with spaces', () => {
    expect(toCues(spoken('안녕', '세계'))[0]?.lines).toEqual(['안녕 세계']);
  });

  test('keeps punctuation with the word before it', () => {
    const cues = toCues(spoken('Hello', ',', 'world', '!'), { lineLength: 80 });
    expect(cues[0]?.lines).toEqual(['Hello, world!']);
    const [cue] = toCues(spoken('你好，世界。'), { lineLength: 4, linesPerCue: 9 });
    expect(cue?.lines).toEqual(['你', '好，', '世', '界。']);
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
      'WEBVTT\n\n00:00:00.000 --> 00:00:00.400\none\n\n01:01:01.000 --> 01:01:02.000\ntwo\n',
    );
  });

  test('writes SubRip', () => {
    expect(writeSrt(words)).toBe(
      '1\n00:00:00,000 --> 00:00:00,400\none\n\n2\n01:01:01,000 --> 01:01:02,000\ntwo\n',
    );
  });

  test('escapes what would be markup or an arrow, and breaks no cue with a line break', () => {
    const text = [{ text: 'a<b>\n\n&-->c --->d', start: 0, end: 1 }];
    expect(writeVtt(text)).toContain('\na&lt;b&gt; &amp;--&gt;c ---&gt;d\n');
    expect(writeSrt(text)).toContain('\na<b> &->c ->d\n');
  });

  test('searches a long line of dashes for an arrow once', () => {
    // Searched from each of its dashes, it would take minutes.
    const text = '-'.repeat(500_000);
    expect(writeSrt([{ text, start: 0, end: 1 }])).toContain(text);
  });

  test('gives a cue without length a millisecond, because a cue must end after it starts', () => {
    expect(writeVtt([{ text: 'x', start: 1, end: 1 }])).toContain('00:00:01.000 --> 00:00:01.001');
  });
});

test('refuses options that it does not know and that cannot work', () => {
  const wrong: unknown[] = [
    ...[0, -1, Number.NaN, '30', null].map((value) => ({ lineLength: value })),
    { linesPerCue: 0 },
    { cueSeconds: -1 },
    { pauseSeconds: -1 },
    { readingSpeed: '17' },
    { linelength: 30 },
    null,
    30,
    new Map(),
  ];
  for (const options of wrong) {
    for (const write of [writeVtt, writeSrt]) {
      expect(() => write(spoken('one'), options as never)).toThrow(TypeError);
    }
  }
  expect(() => writeVtt(spoken('one'), { linelength: 30 } as never)).toThrow(
    'unknown option linelength; there are lineLength, linesPerCue',
  );
  expect(() => writeVtt(spoken('one'), { cueSeconds: -1 })).toThrow('cueSeconds must be a number from 0');
});

test('writes whole times for any options that can work', () => {
  const segments = spoken('one', 'two', 'three');
  for (const value of [0, 1e-300, 1, Number.POSITIVE_INFINITY]) {
    const options = {
      lineLength: Math.max(1, value),
      linesPerCue: Math.max(1, value),
      cueSeconds: value,
      pauseSeconds: value,
      readingSpeed: value,
    };
    const text = writeVtt(segments, options);
    expect(text.match(/one|two|three/g)).toEqual(['one', 'two', 'three']);
    expect(text).not.toMatch(/NaN|Infinity/);
  }
});
