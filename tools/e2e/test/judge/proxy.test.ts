import { NotFoundError } from '@speech-api/client';
import { startContractProxy } from '@speech-api/contract';
import { connectLive } from '@speech-api/live';
import { operationTable } from '@speech-api/types';
import { expect, test } from 'vitest';
import { errorOf } from '../testing/error-of.ts';
import { sandboxKey, useOwnSandbox } from '../testing/use-sandbox.ts';
import { inWords } from './run-judge.ts';

const sandbox = useOwnSandbox();
const text = 'The ferry leaves at noon.';

test('the client notices nothing of the proxy, which finds nothing wrong with either side in any operation', async () => {
  const proxy = await startContractProxy({
    upstream: sandbox.url,
    port: 0,
    profile: 'full',
    deterministic: true,
  });
  const client = sandbox.client({ baseUrl: proxy.url });
  const { speech, transcriptions, models, wallet } = client;
  const direct = await (await sandbox.client().speech.create({ text, format: 'wav' })).bytes();
  const audio = await (await speech.create({ text, format: 'wav' })).bytes();
  expect(audio).toEqual(direct);
  await (await speech.create({ text, references: [{ audio, text }] })).bytes();
  const { timeline } = await (await speech.streamWithTimestamps({ text, format: 'opus' })).collect();
  expect(timeline.segments).toHaveLength(5);
  expect(await transcriptions.create({ audio })).toMatchObject({ text });
  const voice = { type: 'tts', title: 'Harbour', train_mode: 'fast', visibility: 'private' } as const;
  const { _id } = await models.create({ ...voice, voices: [audio] });
  await models.update(_id, { title: 'Dusk' });
  expect((await models.list({ title: 'Dusk' })).items).toMatchObject([{ _id }]);
  await models.get(_id);
  await models.delete(_id);
  expect(await errorOf(models.get(_id))).toBeInstanceOf(NotFoundError);
  const { user_id } = await wallet.getApiCredit();
  await wallet.getPackage(user_id);
  const connection = await connectLive(client, { format: 'pcm' });
  let bytes = 0;
  for await (const piece of connection.speak(text)) bytes += piece.length;
  expect(bytes).toBeGreaterThan(10_000);
  connection.close();

  const report = await proxy.close();
  expect(report.findings.map(inWords)).toEqual([]);
  expect(report.proxy).toMatchObject({ calls: 13, notJudged: [], others: {} });
  const judged = report.coverage.cells.filter(({ exchanges }) => exchanges > 0);
  expect([...new Set(judged.map(({ operationId }) => operationId))].sort()).toEqual(
    Object.keys(operationTable).sort(),
  );
  expect(JSON.stringify(report)).not.toContain(sandboxKey);
});
