// Builds one of the heavy bodies, sends it and answers with the status: in a thread, so that building it delays nobody.
import { request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { encode } from '@msgpack/msgpack';

const size = 60_000_000;
const count = 100_000;

/** `part` as often as it fits. */
const fill = (part: string): Buffer => Buffer.alloc(size - (size % Buffer.byteLength(part)), part);
const json = (before: string, middle: string | Buffer, after: string): Buffer =>
  Buffer.concat([Buffer.from(before), Buffer.from(middle), Buffer.from(after)]);
const text = (part: string, end = ''): Buffer => json('{"text":"', fill(part), `${end}"}`);
const reference = (part: string, end = ''): Buffer =>
  json('{"text":"a","references":[{"text":"a","audio":"', fill(part), `${end}"}]}`);
const many = <Item>(item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, i) => item(i));
const keys = Object.fromEntries(many((index) => [`temperatur${index}`, index]));
/** A MessagePack map whose value is a string or bytes of many megabytes. */
const packed = (name: string, type: number, content: Buffer): Buffer => {
  const start = Buffer.from(encode({ [name]: '' })).subarray(0, -1);
  const length = Buffer.alloc(5, type);
  length.writeUInt32BE(content.length, 1);
  return Buffer.concat([start, length, content]);
};
const str = 0xdb;
const bin = 0xc6;
const part = (head: string, content: Buffer): Buffer =>
  json(`--b\r\ncontent-disposition: form-data; name=${head}\r\n\r\n`, content, '\r\n--b--\r\n');
const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=b';
const msgpack = 'application/msgpack';
const patch = 'PATCH /model/sandbox-alba';
const transcribe = 'POST /v1/asr';

/** The body, and where it goes when that is not JSON to `POST /v1/tts`. */
type Heavy = readonly [body: () => Buffer, mediaType?: string, target?: string];

/** Bodies within 64 MiB, by their encoding and what is long in them. */
export const heavyBodies: Readonly<Record<string, Heavy>> = {
  'json: text': [() => text('a')],
  'json: escapes': [() => text('\\u0041')],
  'json: pairs of escapes': [() => text('\\ud83d\\ude00')],
  'json: unknown escape': [() => text('a', '\\x')],
  'json: two bytes': [() => text('é')],
  'json: open string': [() => json('{"text":"', fill('\\"'), '')],
  'json: key': [() => json('{"', fill('a'), '":1}')],
  'json: unknown keys': [() => Buffer.from(JSON.stringify({ text: 'a', ...keys }))],
  'json: digits': [() => json('{"text":', fill('1'), '}')],
  'json: spaces': [() => json('{"text":', fill(' '), '1}')],
  'json: empty arrays': [() => json('[', fill('[],'), '1]')],
  'json: depth': [() => fill('[')],
  'json: references': [() => Buffer.from(JSON.stringify({ text: 'a', references: many(() => ({})) }))],
  'json: base64': [() => reference('AAAA')],
  'json: base64 that is not': [() => reference('AAAA', '-')],
  'json: tags': [() => Buffer.from(JSON.stringify({ tags: many(String) })), 'application/json', patch],
  'msgpack: text': [() => packed('text', str, fill('a')), msgpack],
  'msgpack: not UTF-8': [() => packed('text', str, Buffer.alloc(size, 0xff)), msgpack],
  'msgpack: unknown keys': [() => Buffer.from(encode({ text: 'a', ...keys })), msgpack],
  'msgpack: depth': [() => Buffer.alloc(size, 0x91), msgpack],
  'msgpack: values': [() => Buffer.concat([Buffer.from([0xdd, 3, 0, 0, 0]), fill('a')]), msgpack],
  'msgpack: recording': [() => packed('audio', bin, Buffer.alloc(size)), msgpack, transcribe],
  'form: text': [() => json('title=', fill('a'), ''), form, patch],
  'form: escapes': [() => json('title=', fill('%41'), ''), form, patch],
  'form: broken escape': [() => json('title=', fill('%41'), '%'), form, patch],
  'form: fields': [() => fill('a=&'), form, patch],
  'multipart: recording': [
    () => part('"audio"; filename="a.wav"', Buffer.alloc(size)),
    multipart,
    transcribe,
  ],
  'multipart: almost boundaries': [
    () => part('"audio"; filename="a"', fill('\r\n--')),
    multipart,
    transcribe,
  ],
  'multipart: parts': [
    () => fill('--b\r\ncontent-disposition: form-data; name="a"\r\n\r\na\r\n'),
    multipart,
    patch,
  ],
  'multipart: head': [
    () => json('--b\r\ncontent-disposition: form-data; name="', fill('a'), '"'),
    multipart,
    patch,
  ],
};

/** Sends a body and gives the status of the answer. */
function send(
  url: string,
  [body, mediaType = 'application/json', target = 'POST /v1/tts']: Heavy,
): Promise<number> {
  const [method = '', path = ''] = target.split(' ');
  const bytes = body();
  const headers = {
    authorization: 'Bearer sandbox-key',
    model: 's2-pro',
    'content-type': mediaType,
    'content-length': bytes.length,
  };
  return new Promise((resolve, reject) => {
    parentPort?.postMessage('begins');
    const sending = request(`${url}${path}`, { method, headers, agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sending.on('error', reject).end(bytes);
  });
}

if (parentPort !== null) {
  const { url, name } = workerData as { readonly url: string; readonly name: string };
  const heavy = heavyBodies[name];
  if (heavy !== undefined) parentPort.postMessage(await send(url, heavy));
}
