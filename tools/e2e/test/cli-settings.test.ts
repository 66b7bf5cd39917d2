import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useSpeech } from './testing/speech-command.ts';
import { sandboxKey, useSandbox } from './testing/use-sandbox.ts';

const service = useSandbox();
const { folder, speech } = useSpeech(service);

test('an option comes before the environment, the environment before the profile', async () => {
  const bare = { SPEECH_BASE_URL: '', SPEECH_API_KEY: '' };
  const config = async (args: readonly string[] = [], environment = {}) => {
    const { stdout } = await speech(['config', '--json', ...args], {
      environment: { ...bare, ...environment },
    });
    return JSON.parse(stdout).settings.base_url;
  };
  const set = (...args: string[]) => speech(['config', 'set', ...args], { environment: bare });
  expect(await set('base_url', 'http://127.0.0.1:7000', '--profile', 'first')).toMatchObject({ code: 0 });
  expect(await config(['--profile', 'first'])).toEqual({
    value: 'http://127.0.0.1:7000',
    source: 'profile first',
  });
  expect(await set('base_url', 'http://127.0.0.1:7001')).toMatchObject({ code: 0 });
  expect(await config()).toEqual({ value: 'http://127.0.0.1:7001', source: 'profile default' });
  const environment = { SPEECH_BASE_URL: 'http://127.0.0.1:7002' };
  expect(await config([], environment)).toMatchObject({
    value: 'http://127.0.0.1:7002',
    source: 'SPEECH_BASE_URL',
  });
  const option = ['--base-url', 'http://127.0.0.1:7003'];
  expect(await config(option, environment)).toMatchObject({
    value: 'http://127.0.0.1:7003',
    source: '--base-url',
  });
  await speech(['config', 'unset', 'base_url'], { environment: bare });
  expect(await config()).toEqual({ source: 'not set' });
});

test('of an address with a password or a token, no more than the host is shown', async () => {
  const options = ['http://user:pw7788@127.0.0.1:2/?k=tok99', 'http://127.0.0.1:2/?k=tok99', 'user:pw7788@h'];
  for (const address of options) {
    const environment = { SPEECH_BASE_URL: address };
    const runs = [
      ['config'],
      ['config', '--json'],
      ['doctor'],
      ['wallet', '-v'],
      ['config', 'set', 'base_url', address],
    ];
    for (const args of runs) {
      const { stdout, stderr } = await speech(args, { environment });
      expect([args, stdout + stderr]).toEqual([args, expect.not.stringMatching(/pw7788|tok99/)]);
    }
  }
  expect((await speech(['config'], { environment: { SPEECH_BASE_URL: options[0] ?? '' } })).stdout).toContain(
    'http://127.0.0.1:2/...',
  );
});

test('a key from a pipe is kept where only its owner reads it, and is never shown', async () => {
  const bare = { SPEECH_API_KEY: '' };
  expect(await speech(['config', 'key'], { environment: bare, input: `${sandboxKey}\n` })).toMatchObject({
    code: 0,
  });
  const file = join(folder, 'config', 'default.key');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await speech(['wallet'], { environment: bare })).toMatchObject({ code: 0 });
  const shown = await speech(['config'], { environment: bare });
  expect(shown.stdout).toContain('(hidden)');
  expect(shown.stdout + shown.stderr).not.toContain(sandboxKey);
  await chmod(file, 0o644);
  const open = await speech(['wallet'], { environment: bare });
  expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining('chmod 600') });
  await chmod(file, 0o600);
});

test('doctor says what works, what does not and how to fix it', async () => {
  const well = await speech(['doctor']);
  expect(well.code).toBe(0);
  expect(well.stdout).toMatch(/ok {3}service[^\n]*ms\n/);
  const ill = await speech(['doctor', '--json'], { environment: { SPEECH_API_KEY: 'wrong-key' } });
  expect(ill.code).toBe(3);
  const checks: { name: string; ok: boolean; hint?: string }[] = JSON.parse(ill.stdout);
  expect(checks.find(({ name }) => name === 'service')).toMatchObject({
    ok: false,
    hint: expect.stringMatching(/key/),
  });
  for (const [environment, code, hint] of [
    [
      { SPEECH_API_KEY: '', SPEECH_CONFIG: join(folder, 'none.json') },
      3,
      /none \(there is no [\s\S]*-> set SPEECH_API_KEY/,
    ],
    [{ SPEECH_BASE_URL: 'http://127.0.0.1:2' }, 4, /-> check the address, the network/],
    [{ SPEECH_BASE_URL: `${service.url}/v1` }, 1, /404[^\n]*\n *-> check the address: speech config/],
  ] as const) {
    const ran = await speech(['doctor'], { environment });
    expect([environment, ran.code, ran.stdout]).toEqual([environment, code, expect.stringMatching(hint)]);
  }
});
