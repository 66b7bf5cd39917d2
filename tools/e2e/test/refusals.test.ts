import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request as startRequest } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { encode } from '@msgpack/msgpack';
import { writeWavHeader } from '@speech-api/audio';
import { startMock } from '@speech-api/mock';
import { startSandbox } from '@speech-api/sandbox';
import { limits, mediaTypes, type OperationId, operationTable, type Refusal } from '@speech-api/types';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { scratchFolder } from './testing/speech-command.ts';

/** The change that makes a valid request invalid. */
interface Fault {
  /** @defaultValue createSpeech */
  readonly operation?: OperationId;
  readonly path?: string;
  readonly method?: string;
  /** A header that is undefined is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Fields of the body, or bytes that cannot be decoded. */
  readonly body?: Readonly<Record<string, unknown>> | Buffer | undefined;
  /** The mock has no accounts, voices or audio state, so its caller requests the status. */
  readonly sandboxOnly?: true;
}

const file = new URL('../../../spec/rules/refusals.yaml', import.meta.url);
const entries: readonly Refusal[] = parse(readFileSync(file, 'utf8'));

const key = 'sandbox-key';
const bearer = (word: string) => ({ authorization: `Bearer ${word}` });
const halfSecond = Buffer.concat([writeWavHeader({ sampleRate: 8000, dataBytes: 8000 }), Buffer.alloc(8000)]);

const faults: Readonly<Record<string, Fault>> = {
  'foreign-host': { headers: { host: 'evil.example' } },
  'foreign-origin': { headers: { origin: 'https://evil.example' } },
  'unknown-path': { path: '/v1/ttss' },
  'unknown-method': { method: 'PUT' },
  'key-missing': { headers: { authorization: undefined } },
  'key-unknown': { headers: bearer('nobody') },
  forbidden: { headers: bearer('sandbox-forbidden'), sandboxOnly: true },
  concurrency: { headers: bearer('sandbox-busy'), sandboxOnly: true },
  credit: { headers: bearer('sandbox-empty'), sandboxOnly: true },
  'upgrade-required': { operation: 'openLiveSession' },
  'media-type': { headers: { 'content-type': 'text/plain' } },
  'body-too-large': { headers: { 'content-length': String(limits.requestBodyBytes + 1) } },
  'file-too-large': {
    operation: 'createTranscription',
    // The unknown field would be refused later.
    body: { audio: Buffer.alloc(limits.transcriptionFileBytesRefusedAbove + 1), langage: 'en' },
  },
  'text-too-long': { body: { text: 'a'.repeat(limits.textCodePoints + 1) } },
  'malformed-body': { body: Buffer.of(0xc1) },
  schema: { body: { temperature: 2 } },
  rule: { body: { format: 'wav', sample_rate: 48_000 } },
  'model-rule': {
    operation: 'createModel',
    body: { type: 'tts', title: 'a', train_mode: 'fast', voices: Buffer.of(1) },
  },
  'audio-unreadable': { body: { references: [{ audio: Buffer.of(1), text: 'a' }] }, sandboxOnly: true },
  'audio-length': { operation: 'createTranscription', body: { audio: halfSecond }, sandboxOnly: true },
  'unknown-voice': { body: { reference_id: 'nobody' }, sandboxOnly: true },
  'credit-short': { headers: bearer('poor'), sandboxOnly: true },
  'not-found': { operation: 'getModel', sandboxOnly: true },
  overloaded: { body: { text: 'AbortError' }, sandboxOnly: true },
  fault: { body: { text: 'Error' }, sandboxOnly: true },
};

test('every refusal of the specification has its request, in the order of the specification', () => {
  expect(Object.keys(faults)).toEqual(entries.map(({ id }) => id));
});

/** Throws an error whose name is the text. */
const speech = {
  open({ text }: { readonly text: string }): never {
    throw Object.assign(new Error('The engine has failed.'), { name: text });
  },
  ready: async () => {},
  close: async () => {},
};

/** The refusal id that a server has logged for each request. */
let noted: (string | undefined)[] = [];

const servers = {
  sandbox() {
    const seed = join(scratchFolder(), 'seed.json');
    const poor = { key: 'poor', user: { _id: 'poor' }, api_credit: { credit: '0.000001' } };
    writeFileSync(seed, JSON.stringify({ accounts: [poor] }));
    const logger = (line: string) => void noted.push(/ refused ([\w-]+)/.exec(line)?.[1]);
    return startSandbox({ seed, logger, speech });
  },
  mock: () => startMock({ keys: [key], onCall: ({ violations }) => void noted.push(violations[0]?.rule) }),
};

/** Sends a raw request, without a client that would check it first. */
async function send(url: string, { operation = 'createSpeech', path, method, headers, body }: Fault) {
  const target = operationTable[operation];
  const sent = { ...bearer(key), model: 's2-pro', 'content-type': mediaTypes.msgpack, ...headers };
  const fields = operation === 'createSpeech' ? { text: 'a', ...body } : body;
  // Each request has its own connection, because its body is never sent completely.
  const agent = new Agent({ keepAlive: true });
  const request = startRequest(url + (path ?? target.path.replace('{id}', 'nobody')), {
    agent,
    method: method ?? target.method,
    headers: Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)),
  });
  request.end(target.method === 'GET' ? undefined : body instanceof Buffer ? body : encode(fields));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const answer = { status: response.statusCode, body: await json(response) };
  agent.destroy();
  return answer;
}

const text = expect.any(String);
const issues = [{ loc: expect.any(Array), type: text, msg: text, ctx: text }];

describe.each(['sandbox', 'mock'] as const)('the %s', (name) => {
  let server: Awaited<ReturnType<(typeof servers)[typeof name]>>;
  beforeAll(async () => {
    server = await servers[name]();
  });
  afterAll(() => server.close());

  async function expectRefusal({ id, status, body }: Refusal, fault: Fault): Promise<void> {
    noted = [];
    const answer = await send(server.url, fault);
    expect(answer).toEqual({ status, body: body === 'validation' ? issues : { status, message: text } });
    // The last two have no id in the log, because the server's own work failed.
    await expect.poll(() => noted).toContain(['overloaded', 'fault'].includes(id) ? undefined : id);
  }

  test.each(entries)('refuses $id with $status', async (entry) => {
    const fault = faults[entry.id] ?? {};
    if (name === 'sandbox' || fault.sandboxOnly === undefined) return expectRefusal(entry, fault);
    const { status } = entry;
    const answer = await send(server.url, { ...fault, headers: { prefer: `code=${status}` } });
    expect(answer).toEqual({ status, body: { status, message: text } });
  });

  test('answers several faults with the first refusal of the specification', async () => {
    let worst: Fault = {};
    for (const entry of entries.toReversed()) {
      const fault = faults[entry.id] ?? {};
      if (fault.operation || (name === 'mock' && fault.sandboxOnly)) continue;
      const isWhole = fault.body instanceof Buffer || worst.body instanceof Buffer;
      const body = isWhole ? (fault.body ?? worst.body) : { ...worst.body, ...fault.body };
      worst = { ...worst, ...fault, body, headers: { ...worst.headers, ...fault.headers } };
      await expectRefusal(entry, worst);
    }
  });
});
