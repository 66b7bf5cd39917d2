import { expect, test } from 'vitest';
import { createFakeSpeech } from '../testing/fake-speech.ts';
import { speak, speechHeaders, start } from '../testing/sandboxes.ts';

const asking = (faults: string) => ({ ...speechHeaders, 'x-speech-fault': faults });

test('are off unless they are asked for: the header alone does nothing', async () => {
  expect((await speak(await start(), { text: 'a' }, asking('status=503'))).status).toBe(200);
});

test('make nothing ahead of a drip', async () => {
  const speech = createFakeSpeech({ pieces: 1000, pieceBytes: 1000 });
  const sandbox = await start({ speech, faults: [] });
  const response = await speak(sandbox, { text: 'a' }, asking('drip=1000'));
  await response.body?.getReader().read();
  expect(speech.made).toBeLessThan(5);
  await response.body?.cancel().catch(() => {});
  await sandbox.close();
  expect(speech.ended).toBe(1);
});
