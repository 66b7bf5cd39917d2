import { expect, test } from 'vitest';
import type { Surroundings } from '../command/command.ts';
import { verifyCommand } from './command.ts';

async function run(words: readonly string[], environment: Surroundings['environment'] = {}) {
  let out = '';
  let error = '';
  const surroundings: Surroundings = {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
    environment,
    colour: false,
    width: 100,
  };
  const code = await verifyCommand.run(words, surroundings);
  return { code, out, error };
}

const target = ['--target', 'http://127.0.0.1:9'];

test('a dry run needs no key, sends nothing and says what it would cost', async () => {
  const { code, out } = await run([...target, '--dry-run', '--max-calls', '20']);
  expect(code).toBe(0);
  expect(out).toContain('POST http://127.0.0.1:9/v1/tts application/json');
  expect(out).toMatch(/(1\d|20) calls, \d+ characters.* at most/);
  expect(out).toMatch(/Left out, because it did not fit --max-calls/);
});

test('the same dry run is the same twice, but for the mark of a run', async () => {
  const [first, second] = await Promise.all([
    run([...target, '--dry-run', '--seed', '4']),
    run([...target, '--dry-run', '--seed', '4']),
  ]);
  expect(first.out).toBe(second.out);
});

test('without a key it says where the key goes, and why nowhere else', async () => {
  await expect(run(target)).rejects.toThrow(/SPEECH_API_KEY is not set.*lists the processes/s);
});

test.each([
  [[], /--target is missing/],
  [['--target', 'localhost:4010'], /--target must be an address that begins with http:\/\/ or https:\/\//],
  [['--target', 'http://key@127.0.0.1'], /no name or password/],
  [[...target, '--key', 'secret'], /--key/],
  [[...target, '--profile', 'half'], /full or stateless/],
  [[...target, '--max-calls', 'many'], /--max-calls must be a whole number/],
  [[...target, '--max-calls', '0'], /at least 1/],
  [[...target, '--only', 'speech-nothing'], /no such scenario.*speech-encodings/],
])('%j is refused with what would be right', async (words, message) => {
  await expect(run([...words, '--dry-run'])).rejects.toThrow(message);
});

test('a key that is not a valid header value is refused without showing it', async () => {
  const wrong = run(target, { SPEECH_API_KEY: 'two\nlines' });
  await expect(wrong).rejects.toThrow(/one word/);
  await expect(wrong).rejects.not.toThrow(/lines/);
});

test('a server that is not there is nothing to judge', async () => {
  await expect(run(target, { SPEECH_API_KEY: 'some-key' })).rejects.toThrow(/cannot be reached/);
});

test('an unknown option is told with what was probably meant, and a key is not repeated', async () => {
  await expect(run(['--traget', 'http://127.0.0.1:9'])).rejects.toThrow(
    'Unknown option --traget. Did you mean --target?',
  );
  await expect(run([...target, '--timeuot=3'])).rejects.toThrow('Did you mean --timeout?');
  await expect(run([...target, '--sed', '3'])).rejects.toThrow('Did you mean --seed?');
  await expect(run([...target, '--colour'])).rejects.toThrow(/^Unknown option --colour\.$/);
  await expect(run([...target, '--key=a-secret-key'])).rejects.toThrow(
    /^Unknown option --key\. Put the key of the server into the environment variable SPEECH_API_KEY\.$/,
  );
});
