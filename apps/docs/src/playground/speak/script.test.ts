import { expect, test } from 'vitest';
import { readScript, sampleScript, toDialogueRequest } from './script.ts';

const sound = { format: 'mp3', latency: 'normal', speed: 1 } as const;

test('a script becomes one text with a tag before each line', () => {
  const request = toDialogueRequest(readScript(sampleScript), ['a', 'b'], sound);
  expect(request.text.split('\n')).toEqual([
    '<|speaker:0|>Did the fog lift before the ferry came in?',
    '<|speaker:1|>Not before. While it came in, and all at once.',
    '<|speaker:0|>So you saw the whole harbour?',
    '<|speaker:1|>Every mast of it.',
  ]);
  expect(request.reference_id).toEqual(['a', 'b']);
});

test('a line without a name goes to the speaker before it, and an empty one to nobody', () => {
  const script = '\n Ann :  Hello.\nStill me.\nBen:\n你好：世界。';
  const { names, lines } = readScript(script);
  expect(names).toEqual(['Ann', 'Ben', '你好']);
  expect(lines.map(({ speaker, text }) => [speaker, text])).toEqual([
    [0, 'Hello.'],
    [0, 'Still me.'],
    [2, '世界。'],
  ]);
  for (const { text, start } of lines) expect(script.slice(start).startsWith(text)).toBe(true);
});
