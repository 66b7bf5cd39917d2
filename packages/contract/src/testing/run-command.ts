import type { Surroundings } from '../command/command.ts';
import { main } from '../main.ts';

/** Runs a command line as a terminal would, and returns what it wrote. */
export async function runCommand(
  words: readonly string[],
  environment: Surroundings['environment'] = {},
  width = 100,
) {
  let out = '';
  let error = '';
  const code = await main(words, {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
    environment,
    colour: false,
    width,
  });
  return { code, out, error };
}
