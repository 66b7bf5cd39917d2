import { asText, readOpenApi, type SpecOperation } from '@speech-api/spec/read';
import type { OperationId } from '@speech-api/types';
import { expect, test } from 'vitest';
import { exampleNames, specOperation } from '../documented-answer.ts';
import type { RunningMock } from '../start-mock.ts';
import { complaintsOf } from '../testing/complaints-of.ts';
import { key, speechHeaders, start } from '../testing/mocks.ts';

const clip = new File([new Uint8Array(2_000)], 'a.wav');
const newVoice = (): FormData => {
  const form = new FormData();
  const fields = { type: 'tts', title: 'Harbour', train_mode: 'fast', visibility: 'private' };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('voices', clip);
  form.append('voices', clip);
  form.append('tags', 'calm');
  return form;
};
const recording = (fields: Readonly<Record<string, string>> = {}): FormData => {
  const form = new FormData();
  form.append('audio', clip);
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
};

type Call = (mock: RunningMock, headers?: Readonly<Record<string, string>>) => Promise<Response>;
const calling =
  (path: string, init: () => RequestInit = () => ({})): Call =>
  (mock, headers) => {
    const { headers: ownHeaders, ...rest } = init();
    return fetch(mock.url + path, { ...rest, headers: { ...key, ...(ownHeaders as object), ...headers } });
  };
const json = (body: object) => () => ({ method: 'POST', headers: speechHeaders, body: JSON.stringify(body) });

const special = {
  createSpeech: calling('/v1/tts', json({ text: 'a' })),
  streamSpeechWithTimestamps: calling('/v1/tts/stream/with-timestamp', json({ text: 'a' })),
  createTranscription: calling('/v1/asr', () => ({ method: 'POST', body: recording() })),
  listModels: calling('/model?page_size=5&tag=calm&tag=deep&self=true'),
  createModel: calling('/model', () => ({ method: 'POST', body: newVoice() })),
  updateModel: calling('/model/abc', () => ({ method: 'PATCH', body: new URLSearchParams({ title: 'b' }) })),
  deleteModel: calling('/model/abc', () => ({ method: 'DELETE' })),
};
/** The address of a GET with the examples that the document gives for what it requires. */
function exampleOf({ path, parameters }: SpecOperation): string {
  const required = parameters.filter((parameter) => parameter.required === true);
  const exampleFor = (name: string) => asText(required.find((parameter) => parameter.name === name)?.example);
  const query = required.filter((parameter) => parameter.in === 'query').map(({ name }) => asText(name));
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleFor(name));
  return `${address}?${new URLSearchParams(query.map((name): [string, string] => [name, exampleFor(name)]))}`;
}

const calls = Object.fromEntries(
  readOpenApi()
    .operations()
    .filter(({ id }) => id !== 'openLiveSession')
    .map((item) => [item.id, special[item.id as keyof typeof special] ?? calling(exampleOf(item))]),
) as Readonly<Record<Exclude<OperationId, 'openLiveSession'>, Call>>;
const entries = Object.entries(calls) as [keyof typeof calls, Call][];

test('section 7: every documented status and example on demand, by `Prefer: code=` and `example=`', async () => {
  const mock = await start();
  for (const [operationId, call] of entries) {
    for (const code of specOperation(operationId).responses.keys()) {
      if (code === '200' && operationId.includes('peech')) continue;
      for (const example of [undefined, ...exampleNames(operationId, code)]) {
        const prefer = `code=${code}${example === undefined ? '' : `, example=${example}`}`;
        const response = await call(mock, { prefer });
        expect([operationId, prefer, response.status]).toEqual([operationId, prefer, Number(code)]);
        expect([operationId, prefer, await complaintsOf(operationId, response)]).toEqual([
          operationId,
          prefer,
          [],
        ]);
      }
    }
  }
});

test('an answer without a body says that it has none', async () => {
  const mock = await start();
  const done = await calls.deleteModel(mock);
  expect([done.headers.get('content-length'), done.headers.get('content-type')]).toEqual(['0', null]);
  const gone = await calls.deleteModel(mock, { prefer: 'code=204' });
  expect([gone.headers.get('content-length'), gone.headers.get('transfer-encoding')]).toEqual([null, null]);
});

test('says what there is when the document has nothing of the kind', async () => {
  const mock = await start();
  const status = await calls.getModel(mock, { prefer: 'code=418' });
  expect(status.status).toBe(400);
  expect(await status.json()).toMatchObject({ message: expect.stringMatching(/418.*200, 401, 403, 404/) });
  const example = await calls.createSpeech(mock, { prefer: 'example=nope' });
  expect(example.status).toBe(400);
  expect(await example.json()).toMatchObject({ message: expect.stringMatching(/nope.*one-hour/) });
});

test('section 2.5: segments when they are asked for, none otherwise', async () => {
  const mock = await start();
  const ask = async (fields?: Readonly<Record<string, string>>): Promise<number> => {
    const response = await fetch(`${mock.url}/v1/asr`, {
      method: 'POST',
      headers: key,
      body: recording(fields),
    });
    return ((await response.json()) as { segments: unknown[] }).segments.length;
  };
  expect(await ask()).toBe(0);
  expect(await ask({ ignore_timestamps: 'true' })).toBe(0);
  expect(await ask({ ignore_timestamps: 'false', language: 'en' })).toBeGreaterThan(0);
});

test('section 2.6: a new voice model is what was sent for it, and one that is read has the id it was asked for', async () => {
  const mock = await start();
  expect(await (await calls.createModel(mock)).json()).toMatchObject({
    title: 'Harbour',
    visibility: 'private',
    tags: ['calm'],
  });
  expect(await (await calling('/model/abc')(mock)).json()).toMatchObject({ _id: 'abc' });
  const later = await calling('/model?page_number=2')(mock);
  expect(await later.json()).toMatchObject({ items: [], has_more: false });
});

test('section 2.7: a wallet of the user that was asked for', async () => {
  const mock = await start();
  expect(await (await calling('/wallet/u1/package')(mock)).json()).toMatchObject({ user_id: 'u1' });
});
