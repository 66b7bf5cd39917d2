import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useSpeech } from './testing/speech-command.ts';
import { sandboxKey, useSandbox } from './testing/use-sandbox.ts';

const service = useSandbox();
const { folder, speech } = useSpeech(service);

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
