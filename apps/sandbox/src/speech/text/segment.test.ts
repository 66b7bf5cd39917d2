import { describe, expect, test } from 'vitest';
import { type SegmentOptions, type TextChunk, TextSegmenter } from './segment.ts';
import { prepareText, tagStyleOf } from './spoken-text.ts';

const normal: SegmentOptions = { chunkLength: 100, minimumChunkLength: 20, eager: false };

function contents(text: string, options: Partial<SegmentOptions> = {}): string[] {
  const segmenter = new TextSegmenter({ ...normal, ...options });
  segmenter.write(prepareText(text, { speakers: 2, tags: tagStyleOf('s2-pro'), normalize: true }));
  const chunks: TextChunk[] = [];
  for (let chunk = segmenter.next('none'); chunk !== undefined; chunk = segmenter.next('none'))
    chunks.push(chunk);
  const { unsayable } = segmenter;
  const all = chunks.length === 0 && unsayable !== undefined ? [unsayable] : chunks;
  return all.map(({ content }) => content);
}

const sentence = 'Here is a sentence with forty characters.';

describe('TextSegmenter', () => {
  test('leaves a short text in one piece', () => {
    expect(contents('One. Two. Three.')).toEqual(['One. Two. Three.']);
  });

  test('fills a chunk with whole sentences up to the chunk length', () => {
    expect(contents([sentence, sentence, sentence].join(' '))).toEqual([`${sentence} ${sentence}`, sentence]);
  });

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
    for (const text of ['x'.repeat(450), '你好'.repeat(200), '👍a '.repeat(200), `${sentence} `.repeat(20)]) {
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

  test('keeps a closing quotation mark with its sentence', () => {
    expect(contents(`"${sentence}" ${sentence}`, { eager: true })).toEqual([`"${sentence}"`, sentence]);
  });

  test('drops chunks with nothing to say, but not the only one', () => {
    expect(contents(`${sentence} ... ... ... ... ... ... ... ... ...`, { eager: true })).toEqual([sentence]);
    expect(contents('...')).toEqual(['...']);
    expect(contents('  ')).toEqual([]);
  });
});
