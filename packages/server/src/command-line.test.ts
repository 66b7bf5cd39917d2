import { expect, test } from 'vitest';
import { shellLine } from './command-line.ts';

test('a command behind -- keeps its words in the shell of Windows', () => {
  expect(shellLine(['npx', 'vitest', 'run', 'my file.test.ts'])).toBe(
    '"npx" "vitest" "run" "my file.test.ts"',
  );
  expect(shellLine(['node', '-e', 'log("a")'])).toBe('"node" "-e" "log(\\"a\\")"');
  expect(shellLine(['C:\\data\\', 'a\\"b', 'C:\\x'])).toBe('"C:\\data\\\\" "a\\\\\\"b" "C:\\x"');
});
