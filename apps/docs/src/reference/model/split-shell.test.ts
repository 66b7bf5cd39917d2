import { expect, test } from 'vitest';
import { splitShell } from './split-shell.ts';

test.each([
  ['npm start', [['npm', 'start']]],
  ['a "b c" \'d "e"\' f\\ g', [['a', 'b c', 'd "e"', 'f g']]],
  [
    'curl x \\\n  --header "y: \\"z\\""\nnpm test',
    [
      ['curl', 'x', '--header', 'y: "z"'],
      ['npm', 'test'],
    ],
  ],
  [
    '# only words\nA=1 B="2" run it # not this\necho "#1"',
    [
      ['run', 'it'],
      ['echo', '#1'],
    ],
  ],
  ['a | b && c; d', [['a'], ['b'], ['c'], ['d']]],
])('%j is split into its commands', (code, commands) => {
  expect(splitShell(code)).toEqual(commands);
});

test('a quote that is not closed is reported', () => {
  expect(splitShell("echo 'never ends")).toBeUndefined();
});
