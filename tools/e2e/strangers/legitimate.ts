import type { AnswerChange } from '../mutants/carried.ts';
import { blocks, fieldsOf, formatOf, header, json, onStatus, onSuccess, set } from '../mutants/change.ts';
import {
  below,
  instead,
  jsonAnswer,
  onEvent,
  onJson,
  onMethod,
  onModels,
  type Strangers,
} from './stranger.ts';

/** Changes the answers with speech alone, not those with timestamps. */
const onAudio = (change: AnswerChange) => ({
  concerns: (method: string, path: string) => method === 'POST' && path === '/v1/tts',
  answer: onSuccess(change),
});

const required = ['user_id', 'type', 'total', 'balance', 'created_at', 'updated_at', 'finished_at'];

/** Servers that use the freedom the interface leaves. The judge may warn of what is public; no error is right. */
export const legitimate: Strangers = {
  'always-400': [
    'HTTP status code for each error condition: not shown',
    { answer: onStatus(422, () => jsonAnswer(400, { status: 400, message: 'Bad request.' })) },
  ],
  'package-of-what-is-required': [
    'payment_subscription_id: optional',
    onJson('/wallet/', (body) =>
      body.balance === undefined
        ? body
        : Object.fromEntries(Object.entries(body).filter(([name]) => required.includes(name))),
    ),
  ],
  'more-fields': ['Fields of a sample entry: not shown', onJson('/', (body) => ({ region: 'eu', ...body }))],
  'other-line-ends': [
    'Each SSE message event carries one line starting with data:',
    below('/v1/tts', {
      answer: onSuccess(
        blocks((all) => all.map((event) => `: keep-alive\r\nid: 7\r\nevent: message\r\n${event}`), '\r\n'),
      ),
    }),
  ],
  'never-aligned': [
    'Null before the first snapshot exists or when alignment is unavailable',
    onEvent(set('alignment', () => null)),
  ],
  'first-chunk-is-one': [
    'Sequence number of the text chunk',
    onEvent(set('chunk_seq', (number) => Number(number) + 1)),
  ],
  'empty-update-and-delete': [
    'Success body of PATCH and DELETE on /model/{id}: not shown',
    {
      concerns: (method) => ['PATCH', 'DELETE'].includes(method),
      answer: onStatus(200, (answer) => ({ ...answer, body: Buffer.alloc(0) })),
    },
  ],
  'created-with-an-id': [
    'Request and response shapes of POST /model: not shown',
    onMethod(
      'POST',
      '/model',
      json((body) => ({ _id: (body as { _id: string })._id })),
    ),
  ],
  'plain-bytes': [
    'Content type of the success response: not shown',
    onAudio(header('content-type', 'application/octet-stream')),
  ],
  'other-order': [
    'sort order: optional',
    onJson('/model', (body, call) =>
      Array.isArray(body.items) && !call.target.includes('sort')
        ? { ...body, items: body.items.toReversed() }
        : body,
    ),
  ],
  'whole-credit': [
    'Unit and precision of credit: not shown',
    onJson(
      '/wallet/',
      set('credit', () => '1000'),
    ),
  ],
  'without-our-headers': [
    'Names of headers beyond Authorization and model: not shown',
    {
      answer: (answer) => {
        // Those of the connection are not ours.
        const kept =
          /^(content-(type|length)|transfer-encoding|connection|upgrade|retry-after|sec-websocket.*)$/;
        const headers = Object.fromEntries(
          Object.entries(answer.headers).filter(([name]) => kept.test(name)),
        );
        return { ...answer, headers };
      },
    },
  ],
  'tagged-mp3': [
    'audio in the requested format',
    onAudio((answer, call) => {
      const tag = Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 20]), Buffer.alloc(20)]);
      return formatOf(call) === 'mp3' ? { ...answer, body: Buffer.concat([tag, answer.body]) } : undefined;
    }),
  ],
  'wav-of-unknown-length': [
    'whether the body is delivered incrementally: not shown',
    onAudio((answer) => {
      if (answer.body.toString('latin1', 0, 4) !== 'RIFF') return undefined;
      const body = Buffer.from(answer.body);
      body.writeUInt32LE(0xffffffff, 4);
      body.writeUInt32LE(0xffffffff, 40);
      return { ...answer, body };
    }),
  ],
  'busy-at-times': [
    'Rate limits and quotas: not shown',
    () => {
      let count = 0;
      return instead('/', () => {
        count += 1;
        if (count % 9 !== 0) return undefined;
        const busy = jsonAnswer(429, { status: 429, message: 'Too many requests.' });
        return { ...busy, headers: { ...busy.headers, 'retry-after': '1' } };
      });
    },
  ],
  'pretty-json': [
    'application/json',
    {
      answer: (answer) => {
        const isJson = String(answer.headers['content-type']).includes('json') && answer.body.length > 0;
        if (!isJson) return undefined;
        const text = `${JSON.stringify(JSON.parse(answer.body.toString()), undefined, 2)}\n`;
        const headers = { ...answer.headers, 'content-type': 'application/json; charset=utf-8' };
        return { ...answer, headers, body: Buffer.from(text) };
      },
    },
  ],
  'one-segment': [
    'segments (array of objects with text, start, end)',
    onJson('/v1/asr', (body) => {
      const segments = (body.segments ?? []) as { start: number; end: number }[];
      const [start, end] = [segments[0]?.start, segments.at(-1)?.end];
      return segments.length === 0 ? body : { ...body, segments: [{ text: ` ${body.text}`, start, end }] };
    }),
  ],
  'visibility-is-not-updated': [
    'Model update body fields: title, description, cover_image, tags',
    instead('/model/', (call) => {
      const issue = { loc: ['body', 'visibility'], type: 'extra', msg: 'Unknown.', ctx: '', in: 'body' };
      const isAsked = call.method === 'PATCH' && fieldsOf(call)?.visibility !== undefined;
      return isAsked ? jsonAnswer(422, [issue]) : undefined;
    }),
  ],
  gone: [
    'Values of the status of a deleted model: not shown',
    below('/model/', { answer: onStatus(404, () => jsonAnswer(410, { status: 410, message: 'Gone.' })) }),
  ],
  'counts-move': [
    'like_count | integer',
    () => {
      let count = 0;
      return onModels((model) => {
        count += 1;
        return { ...model, like_count: count, mark_count: count, shared_count: count };
      });
    },
  ],
};
