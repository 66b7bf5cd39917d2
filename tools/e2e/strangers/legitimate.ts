import {
  isRefusal,
  jsonAnswer,
  onCall,
  onEvent,
  onJson,
  onModels,
  onSuccess,
  pathOf,
  type Stranger,
} from './changes.ts';
import { changeJson, type Fields } from './proxy.ts';

const free = (id: string, sentence: string, behave: Stranger['behave']): Stranger => ({
  id,
  sentence,
  behave,
});
const required = ['user_id', 'type', 'total', 'balance', 'created_at', 'updated_at', 'finished_at'];

/** Twenty servers that use the freedom the interface leaves. The judge may warn of what is public; no error is right. */
export const legitimate: readonly Stranger[] = [
  free('always-400', 'HTTP status code for each error condition: not shown', () => ({
    answer(answer) {
      if (isRefusal(answer) && answer.status === 422)
        Object.assign(answer, jsonAnswer(400, { status: 400, message: 'Bad request.' }));
    },
  })),
  free(
    'package-of-what-is-required',
    'payment_subscription_id: optional',
    onJson('/wallet/', (value) =>
      value.balance === undefined
        ? undefined
        : Object.fromEntries(Object.entries(value).filter(([name]) => required.includes(name))),
    ),
  ),
  free(
    'more-fields',
    'Fields of a sample entry: not shown',
    onJson('/', (value) => ({ region: 'eu', ...value })),
  ),
  free('other-line-ends', 'Each SSE message event carries one line starting with data:', () => ({
    block: (text) => `: keep-alive\r\nid: 7\r\n${text.replace('data:', 'event: message\r\ndata:')}\r\n\r\n`,
  })),
  free(
    'never-aligned',
    'Null before the first snapshot exists or when alignment is unavailable',
    onEvent((payload) => {
      payload.alignment = null;
    }),
  ),
  free(
    'first-chunk-is-one',
    'Sequence number of the text chunk',
    onEvent((payload) => {
      payload.chunk_seq = Number(payload.chunk_seq) + 1;
    }),
  ),
  free('empty-update-and-delete', 'Success body of PATCH and DELETE on /model/{id}: not shown', () => ({
    answer(answer, call) {
      if (['PATCH', 'DELETE'].includes(call.method) && answer.status === 200) answer.body = Buffer.alloc(0);
    },
  })),
  free(
    'created-with-an-id',
    'Request and response shapes of POST /model: not shown',
    onSuccess('POST', '/model', (answer) => {
      changeJson(answer, (value) => ({ _id: value._id }));
    }),
  ),
  free(
    'plain-bytes',
    'Content type of the success response: not shown',
    onSuccess('POST', '/v1/tts', (answer, call) => {
      if (pathOf(call) === '/v1/tts') answer.headers['content-type'] = 'application/octet-stream';
    }),
  ),
  free(
    'other-order',
    'sort order: optional',
    onJson('/model', (value, call) => {
      if (Array.isArray(value.items) && !call.path.includes('sort')) (value.items as Fields[]).reverse();
    }),
  ),
  free(
    'whole-credit',
    'Unit and precision of credit: not shown',
    onJson('/wallet/', (value) => {
      if (value.credit !== undefined) value.credit = '1000';
    }),
  ),
  free('without-our-headers', 'Names of headers beyond Authorization and model: not shown', () => ({
    answer(answer) {
      for (const name of Object.keys(answer.headers))
        if (!['content-type', 'retry-after', 'date'].includes(name)) delete answer.headers[name];
    },
  })),
  free(
    'tagged-mp3',
    'audio in the requested format',
    onSuccess('POST', '/v1/tts', (answer, call) => {
      const tag = Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 20]), Buffer.alloc(20)]);
      if (pathOf(call) === '/v1/tts' && (call.fields?.format ?? 'mp3') === 'mp3')
        answer.body = Buffer.concat([tag, answer.body]);
    }),
  ),
  free(
    'wav-of-unknown-length',
    'whether the body is delivered incrementally: not shown',
    onSuccess('POST', '/v1/tts', (answer) => {
      if (answer.body.subarray(0, 4).toString('latin1') !== 'RIFF') return;
      answer.body.writeUInt32LE(0xffffffff, 4);
      answer.body.writeUInt32LE(0xffffffff, 40);
    }),
  ),
  free('busy-at-times', 'Rate limits and quotas: not shown', () => {
    let count = 0;
    return {
      call() {
        count += 1;
        if (count % 9 !== 0) return undefined;
        const answer = jsonAnswer(429, { status: 429, message: 'Too many requests.' });
        return { ...answer, headers: { ...answer.headers, 'retry-after': '1' } };
      },
    };
  }),
  free('pretty-json', 'application/json', () => ({
    answer(answer) {
      if (answer.headers['content-type']?.includes('json') !== true || answer.body.length === 0) return;
      answer.headers['content-type'] = 'application/json; charset=utf-8';
      answer.body = Buffer.from(`${JSON.stringify(JSON.parse(String(answer.body)), undefined, 2)}\n`);
    },
  })),
  free(
    'one-segment',
    'segments (array of objects with text, start, end)',
    onJson('/v1/asr', (value) => {
      const segments = (value.segments ?? []) as Fields[];
      if (segments.length > 0)
        value.segments = [
          { text: ` ${String(value.text)}`, start: segments[0]?.start, end: segments.at(-1)?.end },
        ];
    }),
  ),
  free(
    'visibility-is-not-updated',
    'Model update body fields: title, description, cover_image, tags',
    onCall('/model/', (call) => {
      if (call.method === 'PATCH' && call.fields?.visibility !== undefined)
        return jsonAnswer(422, [
          { loc: ['body', 'visibility'], type: 'extra', msg: 'Unknown.', ctx: '', in: 'body' },
        ]);
    }),
  ),
  free('gone', 'Values of the status of a deleted model: not shown', () => ({
    answer(answer, call) {
      if (answer.status === 404 && pathOf(call).startsWith('/model/'))
        Object.assign(answer, jsonAnswer(410, { status: 410, message: 'Gone.' }));
    },
  })),
  free('counts-move', 'like_count | integer', () => {
    let count = 0;
    return onModels((model) => {
      count += 1;
      Object.assign(model, { like_count: count, mark_count: count, shared_count: count });
    })();
  }),
];
