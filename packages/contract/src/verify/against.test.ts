import { expect, test } from 'vitest';
import type { Surroundings } from '../command/command.ts';
import { main } from '../main.ts';
import { credit, page, wholePackage } from '../testing/exchanges.ts';
import { serve } from '../testing/serve.ts';

/** A server of wallets and empty lists, with a key of its own. */
function serveWallet(key: string, package_: { readonly status: number; readonly body: object }) {
  return serve(({ url = '', headers }, outgoing) => {
    const answer = (status: number, body: object) =>
      outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (headers.authorization !== `Bearer ${key}`) answer(401, { status: 401, message: 'Wrong key.' });
    else if (url.startsWith('/model')) answer(200, page([]));
    else if (url.endsWith('/package')) answer(package_.status, package_.body);
    else answer(200, credit());
  });
}

const whole = { status: 200, body: wholePackage() };
const environment = { SPEECH_API_KEY: 'first-key-of-tests', SPEECH_API_KEY_AGAINST: 'second-key-of-tests' };

async function run(words: readonly string[], env: Surroundings['environment'] = environment) {
  let out = '';
  let error = '';
  const code = await main(['verify', '--only', 'wallet-own', ...words], {
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
    environment: env,
    colour: false,
    width: 200,
  });
  return { code, out, error };
}

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
    await serveWallet('second-key-of-tests', { status: 500, body: { status: 500, message: 'No.' } }),
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
