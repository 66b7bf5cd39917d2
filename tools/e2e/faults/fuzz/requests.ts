import { encode } from '@msgpack/msgpack';
import { mediaTypes, operationTable, requestFields } from '@speech-api/types';
import fc, { type Arbitrary } from 'fast-check';
import { anyBytes, oddFile, oddValue, seldom, spoilt, spoiltBytes } from './values.ts';

export interface OddRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

type BodyKind = 'json' | 'msgpack' | 'form' | 'pairs';

/** A good body, the operation that takes it, and in which forms. */
interface GoodCall {
  readonly method: string;
  readonly path: string;
  readonly kinds: readonly BodyKind[];
  readonly body: Readonly<Record<string, unknown>>;
}

const fields = [...new Set(Object.values(requestFields).flat())];
const clip = { audio: Buffer.from('RIFFxxxxWAVE'), text: 'A sample.' };
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

const ids = ['sandbox-alba', 'self', '..', '%2e%2e%2f', '%00', '%ff', 'a'.repeat(3000), "'", '%', 'é'];
const paths = [...new Set(Object.values(operationTable).map(({ path }) => path))];
const oddPath = fc
  .constantFrom(...ids)
  .chain((id) =>
    fc.constantFrom(
      ...paths.map((each) => each.replaceAll(/\{\w+\}/g, id)),
      '/',
      '/__sandbox/requests',
      ...['1', '0', '99999999999999', '-1'].map((each) => `/__sandbox/requests/${each}/audio`),
      `/__sandbox/files/${id}`,
      '/__sandbox/files/../../secret.txt',
      '/__sandbox/files/%2e%2e%2f%2e%2e%2fsecret.txt',
      '//evil.example/model',
      '/model?page_size=1e9&page_number=-1&tag[]=a&tag=%ff&sort_by=',
      `/model?${'a=b&'.repeat(2000)}`,
    ),
  )
  .map((path) => encodeURI(path).replaceAll('%25', '%'));

interface Written {
  readonly body: Buffer;
  readonly type: string;
}

const writers: Readonly<Record<BodyKind, (value: unknown) => Arbitrary<Written>>> = {
  json: (value) => written(Buffer.from(JSON.stringify(value, base64OfBytes) ?? ''), mediaTypes.json),
  msgpack: (value) => written(Buffer.from(encode(value, { maxDepth: 1000 })), mediaTypes.msgpack),
  pairs(value) {
    const pairs = Object.entries(value ?? {}).map(([name, each]): [string, string] => [name, String(each)]);
    return written(Buffer.from(`${new URLSearchParams(pairs)}`), mediaTypes.urlencoded);
  },
  form(value) {
    const names = Object.entries(value ?? {});
    const parts = names.map(([name, each]) => {
      const isFile = each instanceof Uint8Array || Array.isArray(each);
      const content = isFile ? oddFile : seldom(oddFile, fc.constant(Buffer.from(String(each))));
      const fileName = isFile
        ? fc.constantFrom('a.wav', '', '../../a', '\u0000', 'é".mp3')
        : fc.constant(undefined);
      return fc.tuple(fileName, content).map(([file, bytes]) => {
        const disposition = `form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}`;
        const head = `--a-boundary\r\nContent-Disposition: ${disposition}\r\n\r\n`;
        return Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n')]);
      });
    });
    const body = fc.tuple(...parts).map((all) => Buffer.concat([...all, Buffer.from('--a-boundary--\r\n')]));
    return body.chain((bytes) => written(bytes, `${mediaTypes.multipart}; boundary=a-boundary`));
  },
};

function written(body: Buffer, type: string): Arbitrary<Written> {
  const whole = fc.constant(body);
  return fc
    .oneof({ weight: 7, arbitrary: whole }, { weight: 3, arbitrary: spoiltBytes(whole) })
    .map((bytes) => ({
      body: bytes,
      type,
    }));
}

/** A buffer has turned itself into a list of numbers by the time it comes here. */
function base64OfBytes(_: string, value: unknown): unknown {
  const { type, data } = (value ?? {}) as { readonly type?: unknown; readonly data?: unknown };
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data as number[]).toString('base64') : value;
}

/** A request with something wrong in its body, its headers or its address, or now and then nothing. */
export const oddRequest: Arbitrary<OddRequest> = fc.constantFrom(...goodCalls).chain((call) => {
  const value = seldom(oddValue, spoilt(call.body, fields));
  const kind = seldom(
    fc.constantFrom<BodyKind>('json', 'msgpack', 'form', 'pairs'),
    fc.constantFrom(...call.kinds),
  );
  const astray = fc.tuple(
    fc.constantFrom('GET', 'GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'POST'),
    oddPath,
  );
  const address = fc.constant([call.method, call.path] as [string, string]);
  return fc
    .record({
      address: fc.oneof({ weight: 1, arbitrary: astray }, { weight: 3, arbitrary: address }),
      body: fc.tuple(kind, value).chain(([written, given]) => writers[written](given)),
      key: seldom(
        fc.constantFrom('sandbox-empty', 'sandbox-forbidden', 'sandbox-busy', 'nobody', ''),
        fc.constant('sandbox-key'),
      ),
      model: seldom(fc.constantFrom('s1', 's2.1-pro', 'x'.repeat(300), ''), fc.constant('s2-pro')),
      type: seldom(
        fc.constantFrom('text/plain', 'a', 'application/json; charset=utf-16', ''),
        fc.constant(undefined),
      ),
      odd: fc.option(fc.constantFrom(...oddHeaders), { nil: undefined, freq: 2 }),
    })
    .map(({ address: [method, path], body: { body, type }, key, model: name, type: claimed, odd }) => ({
      method,
      path,
      headers: {
        authorization: `Bearer ${key}`,
        model: name,
        'content-type': claimed ?? type,
        'content-length': String(body.length),
        ...(odd && Object.fromEntries([odd])),
      },
      ...(method === 'GET' ? {} : { body }),
    }));
});

const oddBytes = fc
  .record({
    method: fc.constantFrom('POST', 'GET', 'FOO', 'PRI', ''),
    path: fc.constantFrom('/v1/tts', '*', 'http://a/', '/\u0001', ''),
    version: fc.constantFrom('1.1', '1.0', '9.9', '2.0'),
    host: fc.constantFrom('127.0.0.1', 'evil.example', '', 'a, b'),
    type: fc.constantFrom('application/json', 'application/msgpack', 'multipart/form-data'),
    length: fc.constantFrom(
      'Content-Length: 12',
      'Content-Length: 5\r\nContent-Length: 6',
      'Content-Length: -1',
      'Transfer-Encoding: chunked',
    ),
    more: fc.constantFrom('', '', '', `X-Long: ${'x'.repeat(20_000)}\r\n`, 'X-Odd: \u0001ÿ\r\n'),
    body: fc.constantFrom('{"text":"a"}', '5\r\n{"tex\r\n0\r\n\r\n', 'FFFFFFFFFFFFFFFFF\r\n', ''),
  })
  .map(({ method, path, version, host, type, length, more, body }) => {
    const own = `Host: ${host}\r\nAuthorization: Bearer sandbox-key\r\nModel: s2-pro\r\nContent-Type: ${type}`;
    const head = `${method} ${path} HTTP/${version}\r\n${own}\r\n${length}\r\n${more}\r\n`;
    return Buffer.from(head + body, 'latin1');
  });

/** Bytes that are nearly a request, to be written on a connection as they are. */
export const oddHttp: Arbitrary<Buffer> = fc.oneof(oddBytes, spoiltBytes(oddBytes));

const upgrade = `GET /v1/tts/live HTTP/1.1\r
Host: 127.0.0.1\r
Connection: Upgrade\r
Upgrade: websocket\r
Sec-WebSocket-Version: 13\r
Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
Authorization: Bearer sandbox-key\r
Model: s2-pro\r
\r
`;

const oddEvent = fc.constantFrom('start', 'text', 'finish', '', 'constructor');
const message = fc
  .oneof(
    spoilt({ text: '', format: 'wav' }, requestFields.SynthesisRequest).map((request) => ({
      event: 'start',
      request,
    })),
    fc.constantFrom({ event: 'text', text: 'Hello there. ' }, { event: 'flush' }, { event: 'stop' }),
    fc.record({ event: oddEvent, text: oddValue }),
  )
  .map((given) => Buffer.from(encode(given, { maxDepth: 1000 })));

const frame = fc
  .record({
    opcode: seldom(fc.nat(15), fc.constant(2)),
    flags: seldom(fc.constantFrom(0, 0x40, 0xc0), fc.constant(0x80)),
    masked: seldom(fc.constant(false), fc.constant(true)),
    claimed: seldom(fc.constantFrom(0, 2 ** 30, 2 ** 31), fc.constant(undefined)),
    payload: fc.oneof(message, spoiltBytes(message), anyBytes(200)),
  })
  .map(({ opcode, flags, masked, claimed, payload }) => {
    const mask = Buffer.from([1, 2, 3, 4]);
    const head = Buffer.from([flags | opcode, ...lengthOf(claimed ?? payload.length, masked)]);
    const body = masked ? payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)) : payload;
    return Buffer.concat([head, masked ? mask : Buffer.alloc(0), body]);
  });

function lengthOf(length: number, masked: boolean): number[] {
  const flag = masked ? 0x80 : 0;
  if (length < 126) return [flag | length];
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return length < 65_536 ? [flag | 126, ...bytes.subarray(6)] : [flag | 127, ...bytes];
}

/** An upgrade to a live session that is accepted, and frames that need not be. */
export const oddSession: Arbitrary<Buffer> = fc
  .array(frame, { maxLength: 7 })
  .map((frames) => Buffer.concat([Buffer.from(upgrade), ...frames]));
