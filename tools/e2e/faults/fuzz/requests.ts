import { encode } from '@msgpack/msgpack';
import { mediaTypes, operationTable, requestFields } from '@speech-api/types';
import type { Choices } from './choices.ts';
import { oddFile } from './files.ts';
import { oddValue, spoil, spoilBytes } from './values.ts';

/** What is sent over HTTP. */
export interface OddRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

const otherKeys = ['sandbox-empty', 'sandbox-forbidden', 'sandbox-busy', 'nobody', ''];
const paths = [...new Set(Object.values(operationTable).map(({ path }) => path))];
const fields = [...new Set(Object.values(requestFields).flat())];
const clip = { audio: Buffer.from('RIFFxxxxWAVE'), text: 'A sample.' };

/** A good body, the operation that takes it, and in which forms. */
interface GoodCall {
  readonly method: string;
  readonly path: string;
  readonly kinds: readonly BodyKind[];
  readonly body: Readonly<Record<string, unknown>>;
}

type BodyKind = 'json' | 'msgpack' | 'form' | 'pairs';

const speech = { method: 'POST', path: '/v1/tts', kinds: ['json', 'msgpack'] } as const;
const stream = { ...speech, path: '/v1/tts/stream/with-timestamp' };
const model = { method: 'POST', path: '/model', kinds: ['form', 'msgpack', 'json'] } as const;

const goodCalls: readonly GoodCall[] = [
  { ...speech, body: { text: 'Hello there.' } },
  { ...stream, body: { text: 'Hello.', format: 'opus', latency: 'low', prosody: { speed: 1.5, volume: 3 } } },
  {
    ...stream,
    body: { text: '<|speaker:0|>A.<|speaker:1|>B.', reference_id: ['sandbox-alba', 'sandbox-blake'] },
  },
  { ...speech, body: { text: 'Hello.', format: 'pcm', sample_rate: 8000, references: [clip] } },
  {
    method: 'POST',
    path: '/v1/asr',
    kinds: ['form', 'msgpack'],
    body: { audio: clip.audio, language: 'en', ignore_timestamps: false },
  },
  {
    ...model,
    body: { title: 'A voice', type: 'tts', train_mode: 'fast', visibility: 'private', voices: [clip.audio] },
  },
  {
    ...model,
    method: 'PATCH',
    path: '/model/sandbox-draft',
    kinds: ['json', 'msgpack', 'form', 'pairs'],
    body: { title: 'Another title', tags: ['a', 'b'], description: 'x' },
  },
];

/** A request with something wrong in its body, its headers or its address, or now and then nothing. */
export function oddRequest(choices: Choices): OddRequest {
  const call = choices.of(goodCalls);
  const { body, type } = oddBody(call, choices);
  const astray = choices.chance(0.25);
  const path = astray ? oddPath(choices) : call.path;
  const method = astray
    ? choices.of(['GET', 'GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'POST'])
    : call.method;
  const headers: Record<string, string> = {
    authorization: `Bearer ${choices.chance(0.9) ? 'sandbox-key' : choices.of(otherKeys)}`,
    model: choices.chance(0.8) ? 's2-pro' : choices.of(['s1', 's2.1-pro', 'x'.repeat(300), '']),
    'content-type': choices.chance(0.95)
      ? type
      : choices.of(['text/plain', 'a', 'application/json; charset=utf-16', '']),
    'content-length': String(body.length),
  };
  if (choices.chance(0.3)) Object.assign(headers, Object.fromEntries([choices.of(oddHeaders)]));
  return { method, path, headers, ...(method === 'GET' ? {} : { body }) };
}

const oddHeaders: readonly (readonly [string, string])[] = [
  ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
  ['traceparent', 'x'.repeat(5000)],
  ['content-encoding', 'gzip'],
  ['expect', '100-continue'],
  ['range', 'bytes=0-'],
  ['range', 'bytes=999999999999999-0'],
  ['origin', 'https://evil.example'],
  ['origin', 'null'],
  ['sec-fetch-site', 'cross-site'],
  ['x-speech-fault', 'status=503'],
  ['accept', '*/*;q=\u00ff'],
  ['cookie', 'a=b; '.repeat(500)],
  ['access-control-request-method', 'POST'],
  ['upgrade', 'websocket'],
];

function oddPath(choices: Choices): string {
  if (choices.chance(0.55))
    return choices.of(['/v1/tts', '/v1/tts/stream/with-timestamp', '/v1/asr', '/model']);
  const id = choices.of([
    'sandbox-alba',
    'self',
    '..',
    '%2e%2e%2f',
    '%00',
    '%ff',
    'a'.repeat(3000),
    "'",
    '%',
    'é',
  ]);
  const path = choices.of([
    ...paths.map((each) => each.replaceAll(/\{\w+\}/g, id)),
    '/',
    '/__sandbox/requests',
    `/__sandbox/requests/${choices.of(['1', '0', '99999999999999', '-1'])}/audio`,
    `/__sandbox/files/${id}`,
    '/__sandbox/files/../../secret.txt',
    '/__sandbox/files/%2e%2e%2f%2e%2e%2fsecret.txt',
    '//evil.example/model',
    '/model?page_size=1e9&page_number=-1&tag[]=a&tag=%ff&sort_by=',
    `/model?${'a=b&'.repeat(2000)}`,
  ]);
  return encodeURI(path).replaceAll('%25', '%');
}

function oddBody(call: GoodCall, choices: Choices): { readonly body: Buffer; readonly type: string } {
  const value = choices.chance(0.95) ? spoil(call.body, choices, fields) : oddValue(choices);
  const kind = choices.chance(0.9)
    ? choices.of(call.kinds)
    : choices.of(['json', 'msgpack', 'form', 'pairs']);
  if (kind === 'form') return oddForm(value, choices);
  if (kind === 'pairs') {
    const pairs = Object.entries(value ?? {}).map(([name, each]): [string, string] => [name, String(each)]);
    return {
      body: spoilSometimes(Buffer.from(`${new URLSearchParams(pairs)}`), choices),
      type: mediaTypes.urlencoded,
    };
  }
  if (kind === 'msgpack') {
    return {
      body: spoilSometimes(Buffer.from(encode(value, { maxDepth: 1000 })), choices),
      type: mediaTypes.msgpack,
    };
  }
  const json = JSON.stringify(value, base64OfBytes);
  return { body: spoilSometimes(Buffer.from(json ?? ''), choices), type: mediaTypes.json };
}

/** A buffer has turned itself into a list of numbers by the time it comes here. */
function base64OfBytes(_: string, value: unknown): unknown {
  const { type, data } = (value ?? {}) as { readonly type?: unknown; readonly data?: unknown };
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data as number[]).toString('base64') : value;
}

function oddForm(value: unknown, choices: Choices): { readonly body: Buffer; readonly type: string } {
  const boundary = choices.chance(0.9) ? 'a-boundary' : 'x'.repeat(choices.below(100));
  const parts = Object.entries(value ?? {}).flatMap(([name, each]) => {
    const file = each instanceof Uint8Array || Array.isArray(each) || choices.chance(0.1);
    const fileName = file ? `; filename="${choices.of(['a.wav', '', '../../a', '\u0000', 'é".mp3'])}"` : '';
    const content = file ? oddFile(choices) : Buffer.from(String(each));
    return [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${fileName}\r\n\r\n`),
      content,
      Buffer.from('\r\n'),
    ];
  });
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return { body: spoilSometimes(body, choices), type: `${mediaTypes.multipart}; boundary=a-boundary` };
}

function spoilSometimes(bytes: Buffer, choices: Choices): Buffer {
  return choices.chance(0.3) ? spoilBytes(bytes, choices) : bytes;
}
