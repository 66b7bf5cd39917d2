import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { measureAudio } from '@speech-api/audio';
import { expect, test } from 'vitest';
import { useSpeech } from './testing/speech-command.ts';
import { useOwnSandbox } from './testing/use-sandbox.ts';

const { folder, filesLike, start } = useSpeech(useOwnSandbox());

test.each([
  ['SIGINT', 'log.mp3'],
  ['SIGTERM', 'log.wav'],
] as const)('%s ends a text without an end, and %s holds what was said', async (signal, name) => {
  const running = start(['live', '-o', name, '--json']);
  running.child.stdin.write('The ferry leaves at noon. The gulls ');
  await expect
    .poll(async () => {
      const [partial] = await filesLike(/partial$/);
      return partial === undefined ? 0 : (await stat(join(folder, partial))).size;
    })
    .toBeGreaterThan(0);
  running.child.kill(signal);
  const { code, stdout, stderr } = await running.ended;
  expect([code, stderr]).toEqual([130, expect.stringMatching(/^the text ends here.*Ctrl-C again/)]);
  expect(JSON.parse(stdout)).toMatchObject({ output: name });
  const format = name.endsWith('wav') ? 'wav' : 'mp3';
  expect(measureAudio(await readFile(join(folder, name)), format).seconds).toBeGreaterThan(1);
  expect(await filesLike(/partial/)).toEqual([]);
});
