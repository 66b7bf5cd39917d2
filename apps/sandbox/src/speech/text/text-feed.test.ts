import { describe, expect, test } from 'vitest';
import { prepareText, TextFeed, tagStyleOf } from './text-feed.ts';

const options = {
  speakers: 3,
  tags: tagStyleOf('s2-pro'),
  normalize: true,
  chunkLength: 100,
  minimumChunkLength: 20,
  eager: false,
} as const;

const sentence = 'Here is a sentence with forty characters.';
const text = [
  `${sentence} <|speaker:1|>${sentence} [laughing] And List<string>, [docs](https://a.example), Zoe\u0308, Dr. Smith said: "Well." He left`,
  'x'.repeat(130),
  '今天天气很好，我们去公园散步。👍 <|speaker:2|>Bye (soft tone) now [slowly, with a smile] [1] [not a tag. The end...',
].join(' ');

interface Read {
  readonly content: string;
  readonly ending: string;
  readonly spoken: string;
  readonly speakers: string;
}

function take(feed: TextFeed): Read[] {
  const read: Read[] = [];
  for (let chunk = feed.next(); chunk !== undefined; chunk = feed.next()) {
    const { characters, content, ending } = chunk;
    const spoken = characters.map((character) => character.spoken).join('');
    const speakers = characters.map(({ speaker }) => speaker).join('');
    read.push({ content, ending, spoken, speakers });
  }
  return read;
}

function readAll(portions: readonly string[], changes: { eager?: boolean } = {}): Read[] {
  const feed = new TextFeed({ ...options, ...changes });
  const read = portions.flatMap((portion) => {
    feed.write(portion);
    return take(feed);
  });
  feed.end();
  const all = [...read, ...take(feed)];
  expect(feed.finished).toBe(true);
  return all;
}

describe('TextFeed', () => {
  test.each([true, false])('gives the same chunks in whatever portions a text comes (eager: %s)', (eager) => {
    const whole = readAll([text], { eager });
    expect(whole.length).toBeGreaterThan(3);
    expect(readAll([...text], { eager })).toEqual(whole);
    // Every cut, in the middle of tags and of surrogate pairs too.
    for (let cut = 0; cut <= text.length; cut += 1) {
      expect(readAll([text.slice(0, cut), text.slice(cut)], { eager })).toEqual(whole);
    }
  });

  test('gives a chunk as soon as its end is certain, and not before', () => {
    const feed = new TextFeed({ ...options, eager: true });
    feed.write(sentence);
    expect(feed.next()).toBeUndefined();
    feed.write(' ');
    expect(feed.next()).toBeUndefined();
    feed.write('And');
    expect(feed.next()?.content).toBe(sentence);
    expect(feed.next()).toBeUndefined();
  });

  test('gives what there is at a flush, and takes what follows for itself', () => {
    const feed = new TextFeed(options);
    feed.write('One, two');
    feed.flush();
    feed.write(' three.');
    feed.flush();
    feed.flush();
    feed.write('Four');
    expect(take(feed).map(({ content, ending }) => [content, ending])).toEqual([
      ['One, two', 'clause'],
      ['three.', 'sentence'],
    ]);
    feed.end();
    expect(take(feed).map(({ content, ending }) => [content, ending])).toEqual([['Four', 'sentence']]);
  });

  test('gives one silent chunk for a text with nothing to say, and for none at all', () => {
    expect(readAll(['  ']).map(({ content }) => content)).toEqual(['']);
    for (const text of ['. . .', '…', '👍'])
      expect(readAll([text]).map(({ content }) => content)).toEqual([text]);
    expect(contents(`${sentence} ${'... '.repeat(9)}`, { eager: true })).toEqual([sentence]);
    expect(readAll([]).map(({ content }) => content)).toEqual(['']);
  });
});

function contents(text: string, changes: Partial<ConstructorParameters<typeof TextFeed>[0]> = {}): string[] {
  const feed = new TextFeed({ ...options, ...changes });
  feed.write(text);
  feed.end();
  return take(feed).map(({ content }) => content);
}

describe('the chunks of a text', () => {
  test('begins a new chunk at every sentence when the first sound is urgent, but not below the minimum', () => {
    expect(contents([sentence, sentence].join(' '), { eager: true })).toEqual([sentence, sentence]);
    expect(contents(`Yes. No. ${sentence} ${sentence}`, { eager: true })).toEqual([
      `Yes. No. ${sentence}`,
      sentence,
    ]);
  });

  test('cuts at clauses where a sentence is too long, and at words where a clause is', () => {
    const clause = 'this clause has about thirty-five marks,';
    expect(contents(`${clause} ${clause} ${clause} end`)).toEqual([`${clause} ${clause}`, `${clause} end`]);
    const words = 'word '.repeat(40).trim();
    expect(contents(words)).toEqual(['word '.repeat(20).trim(), 'word '.repeat(20).trim()]);
  });

  test('never makes a chunk longer than the chunk length, in code points', () => {
    for (const text of [
      'x'.repeat(450),
      'e\u0308'.repeat(300),
      '你好'.repeat(200),
      '👍a '.repeat(200),
      `${sentence} `.repeat(20),
    ]) {
      for (const chunk of contents(text)) expect([...chunk].length).toBeLessThanOrEqual(100);
    }
  });

  test('loses and repeats nothing', () => {
    const text = `${sentence} ${'word '.repeat(60)}! ${'你好，世界。'.repeat(40)} A. B. ${'y'.repeat(230)}`;
    for (const eager of [true, false]) {
      expect(contents(text, { eager }).join('').replaceAll(/\s/gu, '')).toBe(text.replaceAll(/\s/gu, ''));
    }
  });

  test('does not take an abbreviation, an initial or a decimal point for the end of a sentence', () => {
    const text = 'We met Dr. Smith and J. Doe at 3.5 km, e.g. there, and no. 4 was closed on that day.';
    expect(contents(text, { eager: true })).toEqual([text]);
  });

  test('cuts Chinese at its own marks, which no space follows', () => {
    const text = '今天天气很好，我们去公园散步，孩子们很高兴。春天的花都开了，树也绿了，鸟儿在唱歌。';
    expect(contents(text, { eager: true, minimumChunkLength: 10 })).toEqual([
      '今天天气很好，我们去公园散步，孩子们很高兴。',
      '春天的花都开了，树也绿了，鸟儿在唱歌。',
    ]);
  });
});

describe('the tags of a text', () => {
  const prepared = (text: string, model = 's2-pro') =>
    prepareText(text, { speakers: 2, tags: tagStyleOf(model), normalize: true });
  const written = (text: string, model?: string) =>
    prepared(text, model)
      .map((character) => character.written)
      .join('');

  test('are taken out, and what follows a speaker tag is said by the speaker', () => {
    const characters = prepared('<|speaker:0|>Hi.<|speaker:1|>Yo.');
    expect(characters.map((character) => character.written).join('')).toBe(' Hi. Yo.');
    expect(characters.map((character) => character.speaker).join('')).toBe('00001111');
    expect(written('a <|phoneme_start|>b<|phoneme_end|> c')).toBe('a  b  c');
  });

  test('are brackets with an expression on the S2 family, and parentheses with one of the list on s1', () => {
    expect(written('Well [laughing] (happy) yes')).toBe('Well   (happy) yes');
    expect(written('Well [speaking slowly, with a smile!] yes [低声说] no')).toBe('Well   yes   no');
    expect(written('Well (laughing) (as it were) yes', 's1')).toBe('Well   (as it were) yes');
  });

  test.each([
    '<ann@example.com>',
    'List<string>',
    'a <b>bold</b> word',
    '[docs](https://a.example)',
    'see [1] and [2024]',
    'an [open bracket',
    '<|other|>',
  ])('leave %s where it is', (text) => {
    expect(written(text)).toBe(text);
  });
});
