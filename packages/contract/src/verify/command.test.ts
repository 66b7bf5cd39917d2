import { expect, test } from 'vitest';
import { addressOfNobody, runCommand } from '../testing/serve.ts';

const run = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
  runCommand(['verify', ...words], environment);
const target = ['--target', 'http://127.0.0.1:9'];
const key = { SPEECH_API_KEY: 'some-key' };

test('a dry run needs no key, sends nothing, says what it would cost, and is the same twice', async () => {
  const words = [...target, '--dry-run', '--max-calls', '20'];
  const { code, out } = await run(words);
  expect(code).toBe(0);
  expect(out).toContain('A run would send to http://127.0.0.1:9:');
  expect(out).toContain('  createSpeech, as MessagePack\n');
  expect(out).toMatch(/(1\d|20) calls, \d+ characters.* at most/);
  expect(out).toMatch(/Left out, because it did not fit --max-calls/);
  expect((await run(words)).out).toBe(out);
});

test('a run that may only read leaves out what changes voice models', async () => {
  const { out } = await run([...target, '--dry-run', '--read-only']);
  expect(out).toContain('it changes voice models, and the run was --read-only');
});

test.each([
  [[], /--target is missing/],
  [['--target', 'localhost:4010'], /--target must be an address that begins with http:\/\/ or https:\/\//],
  [['--target', 'http://key@127.0.0.1'], /no name, password or query/],
  [[...target, '--profile', 'half'], /choices are full, stateless/],
  [[...target, '--max-calls', 'many'], /--max-calls .* must be a whole number/],
  [[...target, '--max-calls', '0'], /at least 1/],
  [[...target, '--max-calls', '-1'], /must be a whole number, at least 1/],
  [[...target, '--only', 'speech-nothing'], /no such scenario/],
  [
    [...target, '--operations', 'createSpeach'],
    /createSpeach is not an operation\. Use some of createSpeech,/,
  ],
  [[...target, '--colour'], /^unknown option '--colour'$/m],
  [[...target, '--key=a-secret-key'], /^unknown option '--key' \(it is a variable: set SPEECH_API_KEY\)$/m],
])('%j is refused with what would be right', async (words, message) => {
  expect(await run([...words, '--dry-run'])).toMatchObject({
    code: 2,
    error: expect.stringMatching(message),
  });
});

test.each([
  [{}, /SPEECH_API_KEY is not set.*read command lines/s],
  [{ SPEECH_API_KEY: 'two\nlines' }, /one word(?!.*lines)/s],
  [key, /cannot be reached: the connection was refused\. Start the server/],
])('with the key %j nothing can be judged, and it says why', async (environment, message) => {
  const { code, error } = await run(['--target', await addressOfNobody()], environment);
  expect({ code, error }).toEqual({ code: 2, error: expect.stringMatching(message) });
});

test.each([
  ['http://u:s3cr3tpw@127.0.0.1:9', 'some-key'],
  ['http://127.0.0.1:9/?token=s3cr3tpw', 'some-key'],
  ['ftp://u:s3cr3tpw@127.0.0.1/?token=s3cr3tpw', 'some-key'],
  ['http://127.0.0.1:9', ''],
])(
  '%s with the key "%s" is refused before a call is announced, and shows no secret',
  async (address, args) => {
    const { code, out, error } = await run(['--target', address], { SPEECH_API_KEY: args });
    expect(code).toBe(2);
    expect(out + error).not.toMatch(/Sending|s3cr3tpw|itself failed/);
  },
);

test('says in JSON why nothing was judged', async () => {
  const words = ['verify', '--target', await addressOfNobody(), '--json'];
  const { code, out } = await runCommand(words, { SPEECH_API_KEY: 'some-key' });
  expect(code).toBe(2);
  expect(JSON.parse(out)).toMatchObject({ version: 1, verdict: 'not judged', reason: 'no-server' });
});
