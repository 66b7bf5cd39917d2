import { expect, test } from 'vitest';
import { credit, generalError, page, wholePackage } from '../testing/exchanges.ts';
import { runCommand } from '../testing/run-command.ts';
import { answerJson, serve } from '../testing/serve.ts';

/** A server of wallets and empty lists, with a key of its own. */
function serveWallet(key: string, package_: { readonly status: number; readonly body: object }) {
  return serve(({ url = '', headers }, outgoing) => {
    if (headers.authorization !== `Bearer ${key}`) answerJson(outgoing, 401, generalError(401));
    else if (url.startsWith('/model')) answerJson(outgoing, 200, page([]));
    else if (url.endsWith('/package')) answerJson(outgoing, package_.status, package_.body);
    else answerJson(outgoing, 200, credit());
  });
}

const whole = { status: 200, body: wholePackage() };
const environment = { SPEECH_API_KEY: 'first-key-of-tests', SPEECH_API_KEY_AGAINST: 'second-key-of-tests' };

const run = (words: readonly string[], keys: Readonly<Record<string, string>> = environment) =>
  runCommand(['verify', '--only', 'wallet-own', ...words], keys, 200);

test('two servers that answer alike differ nowhere, each with a key of its own', async () => {
  const [one, other] = [
    await serveWallet('first-key-of-tests', whole),
    await serveWallet('second-key-of-tests', whole),
  ];
  const { code, out, error } = await run(['--target', one, '--against', other]);
  expect({ code, out }).toEqual({ code: 0, out: '3 calls compared: no difference.\n' });
  expect(error).toContain('and as much to');
});

test('only what one of them breaks or answers otherwise is reported', async () => {
  const { balance: _missing, ...body } = wholePackage();
  const [one, other, third] = [
    await serveWallet('first-key-of-tests', { status: 200, body }),
    await serveWallet('second-key-of-tests', whole),
    await serveWallet('second-key-of-tests', { status: 500, body: generalError(500) }),
  ];
  const first = await run(['--target', one, '--against', other]);
  expect(first.code).toBe(1);
  expect(first.out).toMatch(/^Only http:\S+:\n- error field-present getPackage .*balance/);
  expect(first.out).not.toContain('getApiCredit');
  const second = await run(['--target', one, '--against', third, '--json']);
  const { statuses } = JSON.parse(second.out) as { statuses: { statuses: number[] }[] };
  expect(statuses[0]?.statuses).toEqual([200, 500]);
});

test('the second key has a variable of its own, and no report goes with two servers', async () => {
  const words = ['--target', 'http://127.0.0.1:9', '--against', 'http://127.0.0.1:10'];
  const withoutKey = await run(words, { SPEECH_API_KEY: 'first-key-of-tests' });
  expect(withoutKey.error).toContain('SPEECH_API_KEY_AGAINST is not set');
  const withReport = await run([...words, '--report', 'json=x.json']);
  expect(withReport.error).toContain('--against and --report do not go together');
});
