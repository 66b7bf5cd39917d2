import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { hideKey, keyOf, showsKey, wrongKey } from '../key.ts';
import { reportFormats, writeReport } from '../report/write-report.ts';
import { credit, exchange, failed, generalError, refused } from '../testing/exchanges.ts';
import { writeCurl } from './curl.ts';
import { judge } from './judge.ts';

const key = 'sk-0123456789abcdef0123456789abcdef';

const sent = { text: `It's "the tide"; $HOME \`date\` \\n 海` };

test('takes the key from the environment, and shows no header beside those of the API', () => {
  const { request, ...rest } = exchange('createSpeech', {
    sent,
    body: '',
    sentHeaders: { cookie: 'a=b', model: 's1' },
  });
  const command = writeCurl({ ...rest, request }) ?? '';
  expect(command).toContain('-H "authorization: Bearer $SPEECH_API_KEY"');
  expect(command).toContain("-H 'model: s1'");
  expect(command).not.toContain('cookie');
});

test('is none where the body is too large for a command or no text, or the key was to be wrong', () => {
  const { request, ...rest } = exchange('createSpeech', { body: '' });
  const withBody = (body: Uint8Array, type: string) =>
    writeCurl({ ...rest, request: { ...request, headers: { 'content-type': type }, body } });
  expect(withBody(new Uint8Array(5000), 'application/json')).toBeUndefined();
  expect(withBody(new Uint8Array(5), 'application/msgpack')).toBeUndefined();
  expect(writeCurl(failed('listModels', 200, {}, { expectation: refused('key-unknown') }))).toBeUndefined();
});

test('is understood by a shell', () => {
  const command = writeCurl(exchange('createSpeech', { sent, body: '' })) ?? '';
  if (process.platform === 'win32') return;
  const shown = execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\n'")], {
    encoding: 'utf8',
    env: { ...process.env, SPEECH_API_KEY: 'k' },
  });
  expect(shown).toContain(JSON.stringify(sent));
  expect(shown).toContain('authorization: Bearer k');
});

describe('a key', () => {
  test('is hidden as a whole, in the middle of words too', () => {
    expect(hideKey(`for ${key}!`, key)).toBe('for $SPEECH_API_KEY!');
    expect(hideKey(`${key}${key}`, key)).toBe('$SPEECH_API_KEY$SPEECH_API_KEY');
  });

  test('is hidden where a message has cut it off', () => {
    expect(hideKey(`"${key.slice(0, 20)}...`, key)).toBe('"$SPEECH_API_KEY...');
    expect(hideKey(`${key.slice(10)} ends`, key)).toBe('$SPEECH_API_KEY ends');
  });

  test('leaves words alone that share a few letters with it', () => {
    expect(hideKey('0123456789 is a number', key)).toBe('0123456789 is a number');
  });

  test('is none where the word that says so was sent in its place, and is one with a letter after it', () => {
    const sentWith = (authorization: string) =>
      keyOf(
        exchange('getApiCredit', {
          body: credit(),
          sentHeaders: { authorization },
          expectation: refused('key-unknown'),
        }),
      );
    expect(sentWith(`Bearer ${wrongKey}`)).toBeUndefined();
    expect(sentWith(`Bearer ${key}x`)).toBe(`${key}x`);
    expect(sentWith(`Token ${key}`)).toBe(key);
    expect(sentWith('Bearer ')).toBeUndefined();
    expect(sentWith(key)).toBe(key);
  });

  test('is found in a text however it is written', () => {
    const forms = [
      key,
      [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
      [...key].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
      Buffer.from(key).toString('hex').toUpperCase(),
      ...['', 'a', 'ab'].map((before) => Buffer.from(`${before}${key} is wrong`).toString('base64')),
    ];
    expect(forms.filter((form) => !showsKey(`{"message":"${form}"}`, key))).toEqual([]);
    expect(showsKey(`{"message":"The key ${key.slice(0, 8)} is wrong"}`, key)).toBe(false);
  });

  test('is hidden however it is written', () => {
    const awkward = 'a/key+with="signs"&more';
    const bytes = Buffer.from(awkward);
    const forms = [
      encodeURIComponent(awkward),
      encodeURIComponent(awkward).toLowerCase(),
      JSON.stringify(awkward).slice(1, -1),
      [...awkward].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
      bytes.toString('hex'),
    ];
    for (const form of forms) expect(hideKey(`é% "${form}", %zz`, awkward)).toBe('é% "$SPEECH_API_KEY", %zz');
    expect(hideKey(`seen: ${bytes.toString('base64')}`, awkward)).not.toContain(
      bytes.toString('base64', 0, 9),
    );
  });

  test('is not in any report, however a server repeats it', async () => {
    const commands = [
      exchange('getApiCredit', { body: credit({ credit: key, [key]: key, _id: 7 }) }),
      exchange('getApiCredit', { body: `${key} is wrong`, headers: { 'content-type': `text/${key}` } }),
      exchange('getModel', { path: `/model/${key}`, status: 404, body: generalError(400, { hint: key }) }),
    ];
    const sent = commands.map((each) => ({
      ...each,
      request: {
        ...each.request,
        headers: { authorization: `Bearer ${key}`, cookie: 'session=a-cookie-of-somebody' },
      },
    }));
    const report = await judge(sent);
    expect(report.findings.length).toBeGreaterThan(4);
    for (const format of reportFormats) {
      const text = writeReport(format, report);
      expect(text).not.toContain(key.slice(3, 20));
      expect(text).not.toContain('a-cookie-of-somebody');
    }
    expect(writeReport('summary', report)).toContain('$SPEECH_API_KEY');
  });
});
