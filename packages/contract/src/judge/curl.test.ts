import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { exchange, refused } from '../testing/exchanges.ts';
import { writeCurl } from './curl.ts';

const sent = { text: `It's "the tide"; $HOME \`date\` \\n 海` };

it('writes a command that sends the same words, whatever stands in them', () => {
  const command = writeCurl(exchange('createSpeech', { sent, body: '' })) ?? '';
  const [, body = ''] = / --data-raw ('.*')$/s.exec(command) ?? [];
  // Single quotes of a shell, undone.
  expect(JSON.parse(body.replaceAll(`'\\''`, '\0').replaceAll("'", '').replaceAll('\0', "'"))).toEqual(sent);
});

it('takes the key from the environment, and shows no header beside those of the API', () => {
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

it('sends no good key where a wrong one was sent', () => {
  const command = writeCurl(exchange('listModels', { body: '', expectation: refused('key-unknown') }));
  expect(command).toContain('Bearer no-such-key');
});

it('is none where a shell can not write the body', () => {
  const { request, ...rest } = exchange('createSpeech', { body: '' });
  const headers = { 'content-type': 'application/msgpack' };
  expect(writeCurl({ ...rest, request: { ...request, headers, body: Buffer.from([0x80]) } })).toBeUndefined();
});

it('is understood by a shell', () => {
  const command = writeCurl(exchange('createSpeech', { sent, body: '' })) ?? '';
  if (process.platform === 'win32') return;
  const shown = execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\n'")], {
    encoding: 'utf8',
    env: { ...process.env, SPEECH_API_KEY: 'k' },
  });
  expect(shown).toContain(JSON.stringify(sent));
  expect(shown).toContain('authorization: Bearer k');
});
