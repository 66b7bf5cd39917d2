import { expect, test } from 'vitest';
import { installedProgram } from '../program.mjs';

test('a program that npm installs is started by a shell on Windows, with each path as one word', () => {
  const args = ['pack', '--pack-destination', 'C:\\Users\\Ana Maria\\Temp'];
  const [line, words, options] = installedProgram('pnpm', args, 'win32');
  expect(line).toBe('"pnpm" "pack" "--pack-destination" "C:\\Users\\Ana Maria\\Temp"');
  // Arguments beside a shell are deprecated, and Node says so on stderr.
  expect([words, options]).toEqual([[], { shell: true }]);
  expect(installedProgram('pnpm', args, 'darwin')).toEqual(['pnpm', args, { shell: false }]);
});
