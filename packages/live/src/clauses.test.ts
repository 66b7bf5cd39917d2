import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Cut, isSpeakable, nextCut } from './clauses.ts';
import { checkText } from './feed.ts';
import { collect, connectTo, failureOf, speaks } from './testing/scripted-server.ts';

/** The cuts of a text that comes in pieces of `size` characters. */
function cut(text: string, size = 3): Cut[] {
  const cuts: Cut[] = [];
  let rest = '';
  for (let from = 0; from < text.length; from += size) {
    rest += text.slice(from, from + size);
    for (;;) {
      const next = nextCut(rest, cuts.length === 0);
      if (next === undefined) break;
      cuts.push(next);
      rest = rest.slice(next.text.length);
    }
  }
  return isSpeakable(rest) ? [...cuts, { text: rest, flush: false }] : cuts;
}

const texts = (cuts: readonly Cut[]): string[] => cuts.map(({ text }) => text);

test.each([
  [
    'the first clause, then whole sentences',
    ['Well, as I said, ', 'it is late, my dear. ', 'Go home, please. ', 'Now!'],
  ],
  [
    'Chinese, which has no spaces',
    ['今天的天气真是非常好啊，', '我们一起去公园，玩吧。', '然后吃饭。', '好'],
  ],
])('sends %s', (_, pieces) => {
  for (const size of [1, 4, 100]) {
    expect(texts(cut(pieces.join(''), size))).toEqual(pieces);
    expect(cut(pieces.join(''), size).map(({ flush }) => flush)).toEqual([true, true, true, false]);
  }
});

test.each([
  ['Hindi', 'यह पहला वाक्य है। यह दूसरा है। और', ['यह पहला वाक्य है। ', 'यह दूसरा है। ', 'और']],
  ['Arabic', 'هذا هو السؤال الأول؟ نعم هو كذلك! ثم', ['هذا هو السؤال الأول؟ ', 'نعم هو كذلك! ', 'ثم']],
  ['Thai', 'นี่คือคำถามแรกใช่ไหม? ใช่แล้วครับ! และ', ['นี่คือคำถามแรกใช่ไหม? ', 'ใช่แล้วครับ! ', 'และ']],
  [
    'Japanese',
    'これは最初の文ですよね。次の文です。はい！と',
    ['これは最初の文ですよね。', '次の文です。', 'はい！', 'と'],
  ],
])('cuts sentences of %s', (_, text, pieces) => {
  for (const size of [1, 3, 100]) expect(texts(cut(text, size))).toEqual(pieces);
});

test.each([
  ['a decimal number', 'It costs 3.50 dollars and 1,250.75 euros in all of the shops'],
  ['an ordinal', 'We meet on the 3. of May at the old station in town'],
  ['a list number', '1. Wash the apples with care and dry them'],
  ['a title', 'Please ask Dr. Smith and Mr. Jones about the plan'],
  ['initials', 'A book by J. R. R. Tolkien lies on the table'],
  ['dotted abbreviations', 'Many animals, e.g. cats of the U.S. coast sleep'],
  ['an address', 'Read example.com/a?b=c!d for all of it today'],
  ['an ellipsis before a word', 'Wait...what is that noise over there'],
  ['a dotted name', 'Use System.Collections.Generic now with numpy.Array.of too'],
  ['a bracketed tag', 'Then [softly. slowly. sadly. ] he said it again'],
  ['a parenthesis', 'Then (softly. slowly. sadly. ) he said it again'],
  ['a speaker tag', '<|speaker:0|>Good morning to you my friend'],
])('never cuts inside %s', (_, text) => {
  // Sentence ends only: a first clause may end at a comma.
  for (const size of [1, 2, 5, 1000]) {
    const cuts = texts(cut(`Hello to all of you here. ${text}`, size));
    expect(cuts).toEqual(['Hello to all of you here. ', text]);
  }
});

test('a sentence ends without a space where a model forgot it', () => {
  for (const size of [1, 5, 100])
    expect(texts(cut('Well, that is done.Next we wait', size))).toEqual([
      'Well, that is done.',
      'Next we wait',
    ]);
});

test.each(['…', 'a…', '… ', '!"'])('a row of 40 000 times "%s" blocks nobody', (marks) => {
  const began = performance.now();
  for (const isFirst of [true, false]) nextCut(`x${marks.repeat(40_000)}`, isFirst);
  nextCut(marks.repeat(40_000), true);
  expect(performance.now() - began).toBeLessThan(5000);
});

test('the mark of a code block waits for its code', () => {
  expect(texts(cut('Here is the code you want. ```js\nlet tide = 7;\n'))).toEqual([
    'Here is the code you want. ',
    '```js\nlet tide = 7;\n',
  ]);
});

test('a sentence may end with a number, once it is known that it ends', () => {
  expect(texts(cut('It was built in 1999. Then it burned.', 1))).toEqual([
    'It was built in 1999. ',
    'Then it burned.',
  ]);
});

test('punctuation and white space alone are held back, and tags do not count as words', () => {
  expect(cut(' \n')).toEqual([]);
  expect(cut('... !\n')).toEqual([]);
  expect(cut('[laughing] ')).toEqual([]);
  expect(texts(cut('Well then my dear, go on. ... !!! \n\n Yes.'))).toEqual([
    'Well then my dear, ',
    'go on. ... ',
    '!!! \n\n Yes.',
  ]);
});

test('a short first clause waits for company', () => {
  expect(texts(cut('No, I do not think so, really.'))).toEqual(['No, I do not think so, ', 'really.']);
});

test('a text without an end goes on without a flush, cut between words', () => {
  const text = 'word '.repeat(400);
  const cuts = cut(text, 7);
  expect(cuts.length).toBeGreaterThan(2);
  expect(cuts.every(({ flush }) => !flush)).toBe(true);
  expect(cuts.every((piece) => piece.text.endsWith('word '))).toBe(true);
  expect(texts(cuts).join('')).toBe(text);
});

test('whatever comes, in whatever pieces, the text stays whole and no pair is cut', () => {
  const character = fc.constantFrom(...'ab 1.,!?[]()<|>\n。，', '👍', 'é', 'Dr. ', '3.5');
  fc.assert(
    fc.property(fc.array(character, { maxLength: 200 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
      const text = parts.join('');
      const joined = texts(cut(text, size)).join('');
      // Only text that cannot be spoken is dropped at the end.
      expect(text.startsWith(joined)).toBe(true);
      expect(/[\p{L}\p{N}]/u.test(text.slice(joined.length).replace(/\[[^\]]*\]|<\|[^|]*\|>/gu, ''))).toBe(
        false,
      );
      for (const piece of texts(cut(text, size))) expect(piece).not.toMatch(/\p{Surrogate}/u);
    }),
  );
});

test('empty deltas of a model are skipped, and any other value but text is an error', async () => {
  const { connection, peers } = await connectTo(speaks(1));
  const pieces = async function* (...values: unknown[]) {
    yield* values as string[];
  };
  await collect(connection.speak(pieces('Hi there, ', undefined, null, 'Anna.')));
  expect(peers[0]?.received.map(({ text }) => text ?? '').join('')).toBe('Hi there, Anna.');
  expect(await failureOf(collect(connection.speak(pieces({ text: 'Hi' }))))).toMatchObject({
    message: 'a piece of the text is object; give a string, or an AsyncIterable of strings',
  });
  expect(() => checkText(['Hi'] as never)).toThrow('the text is an array; give a string');
});

test('what a source gave before the caller ended the text is still spoken', async () => {
  const { connection, peers } = await connectTo(speaks(1));
  const { readable, writable } = new TransformStream<string, string>();
  const speech = connection.speak(readable);
  await writable.getWriter().write('Half of a sentence');
  speech.end();
  expect(await collect(speech)).toHaveLength(18);
  expect(peers[0]?.received[1]).toEqual({ event: 'text', text: 'Half of a sentence' });
});

test('an utterance that ends lets go of a source that is still thinking', async () => {
  const { connection } = await connectTo(speaks(1));
  let returned = false;
  const source: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise(() => {}),
      return: async () => {
        returned = true;
        return { done: true, value: undefined };
      },
    }),
  };
  connection.speak(source).interrupt();
  await expect.poll(() => returned).toBe(true);
});
