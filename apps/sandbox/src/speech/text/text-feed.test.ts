import { describe, expect, test } from 'vitest';
import { tagStyleOf } from './spoken-text.ts';
import { TextFeed } from './text-feed.ts';

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
  `${sentence} <|speaker:1|>${sentence} [laughing] And <b>then</b>, Dr. Smith said: "Well." He left`,
  'x'.repeat(130),
  '今天天气很好，我们去公园散步。👍 <|speaker:2|>Bye (soft tone) now [not a tag. The end...',
].join(' ');

interface Read {
  readonly content: string;
  readonly ending: string;
  readonly spoken: string;
  readonly speakers: string;
  readonly rates: readonly (number | undefined)[];
}

function take(feed: TextFeed): Read[] {
  const read: Read[] = [];
  for (let chunk = feed.next(); chunk !== undefined; chunk = feed.next()) {
    const { characters, content, ending } = chunk;
    const spoken = characters.map((character) => character.spoken).join('');
    const speakers = characters.map(({ speaker }) => speaker).join('');
    const rates = characters.map(({ direction }) => direction?.rate);
    read.push({ content, ending, spoken, speakers, rates });
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
    expect(new Set(whole.flatMap(({ rates }) => rates)).size).toBe(2);
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

  test('waits for the chunk length when nothing is urgent', () => {
    const feed = new TextFeed(options);
    feed.write(`${sentence} ${sentence} A${'a'.repeat(15)}`);
    expect(feed.next()).toBeUndefined();
    feed.write('b');
    expect(feed.next()?.content).toBe(`${sentence} ${sentence}`);
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

  test('does not depend on when it is read', () => {
    const late = new TextFeed(options);
    const early = new TextFeed(options);
    const read: Read[] = [];
    for (const [index, portion] of (text.match(/.{1,17}/gsu) ?? []).entries()) {
      for (const feed of [late, early]) {
        feed.write(portion);
        if (index % 5 === 4) feed.flush();
      }
      read.push(...take(early));
    }
    late.end();
    early.end();
    expect([...read, ...take(early)]).toEqual(take(late));
  });

  test('keeps the speaker over a flush', () => {
    const feed = new TextFeed(options);
    feed.write('<|speaker:1|>Hello.');
    feed.flush();
    feed.write('Again.');
    feed.end();
    expect(take(feed).map(({ speakers }) => speakers.at(-1))).toEqual(['1', '1']);
  });

  test('lets go of what looks like a tag when it is too long for one', () => {
    const feed = new TextFeed({ ...options, eager: true, minimumChunkLength: 0 });
    feed.write(`[${'and so on '.repeat(5)}. Next`);
    expect(feed.next()?.content).toMatch(/^\[and so on .*\.$/u);
  });

  test('gives one silent chunk for a text with nothing to say, and for none at all', () => {
    expect(readAll(['  ']).map(({ content }) => content)).toEqual(['']);
    expect(readAll(['. . .']).map(({ content }) => content)).toEqual(['. . .']);
    expect(readAll([]).map(({ content }) => content)).toEqual(['']);
  });

  test('is not held up by how much there is', () => {
    const feed = new TextFeed(options);
    feed.write(`${sentence} `.repeat(20_000));
    // Ten thousand chunks: looking at all of the text for each of them would take minutes.
    let chunks = 0;
    for (let chunk = feed.next(); chunk !== undefined; chunk = feed.next()) {
      expect(chunk.content).toBe(`${sentence} ${sentence}`);
      chunks += 1;
      if (chunks === 5000) break;
    }
    expect(chunks).toBe(5000);
  });
});
