import { expect, test } from 'vitest';
import type { Surroundings } from '../command/command.ts';
import { main } from '../main.ts';
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

test.each([
  ['http://u:s3cr3tpw@127.0.0.1:9', 'some-key'],
  ['http://127.0.0.1:9/?token=s3cr3tpw', 'some-key'],
  ['localhost:9', 'some-key'],
  ['ftp://u:s3cr3tpw@127.0.0.1/?token=s3cr3tpw', 'some-key'],
  ['u:s3cr3tpw@127.0.0.1:9', 'some-key'],
  ['http://u:s3cr3tpw?a@127.0.0.1:9', 'some-key'],
  ['http://127.0.0.1:9', ''],
])(
  '%s with the key "%s" is refused before a call is announced, and shows no secret',
  async (address, key) => {
    for (const command of ['verify', 'settle']) {
      let said = '';
      const note = (text: string) => {
        said += text;
      };
      const environment = { SPEECH_API_KEY: key, SPEECH_API_KEY_AGAINST: key };
      const surroundings = { out: note, error: note, environment, colour: false, width: 100 };
      expect(await main([command, '--target', address], surroundings)).toBe(2);
      expect(said).not.toMatch(/Sending|Playing|s3cr3tpw|itself failed/);
      if (command === 'verify') {
        said = '';
        expect(await main([command, ...target, '--against', address], surroundings)).toBe(2);
        expect(said).not.toMatch(/Sending|s3cr3tpw|itself failed/);
      }
    }
  },
);

test('a missing key of the second server is named with its server', async () => {
  const only = run([...target, '--against', 'http://127.0.0.1:8'], { SPEECH_API_KEY: 'some-key' });
  await expect(only).rejects.toThrow(
    /^SPEECH_API_KEY_AGAINST is not set\. Set it to the key of the server given with --against\./,
  );
});

test('a value that begins with a dash is answered with how to write it', async () => {
  await expect(run([...target, '--max-calls', '-1'])).rejects.toThrow(
    /^--max-calls needs a value, .* --max-calls=VALUE/,
  );
  await expect(run([...target, '--max-calls=-1'])).rejects.toThrow(/--max-calls must be a whole number/);
});

test('a misspelt command is answered with the one that was probably meant', async () => {
  let said = '';
  const error = (text: string) => {
    said += text;
  };
  await main(['verfy'], { out: error, error, environment: {}, colour: false, width: 100 });
  expect(said).toBe('There is no command "verfy". Did you mean verify?\n');
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
