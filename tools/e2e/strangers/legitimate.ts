import { gzipSync } from 'node:zlib';
import { type Answer, type Call, changeJson, type Fields, jsonAnswer } from './proxy.ts';
import type { Stranger } from './stranger.ts';

const free = (id: string, does: string, sentence: string, behave: Stranger['behave']): Stranger => ({
  id,
  does,
  sentence,
  rests: 'stated',
  behave,
});
const pathOf = (call: Call): string => call.path.split('?')[0] ?? '';
const isJson = (answer: Answer): boolean => answer.headers['content-type']?.includes('json') === true;
const isRefusal = (answer: Answer): boolean => answer.status >= 400 && answer.status < 500;
const isSpeech = (answer: Answer, call: Call): boolean =>
  pathOf(call) === '/v1/tts' && answer.status === 200 && call.method === 'POST';
const eachModel = (answer: Answer, call: Call, change: (model: Fields) => void): void => {
  if (!pathOf(call).startsWith('/model') || answer.status >= 300) return;
  changeJson(answer, (value) => {
    if (Array.isArray(value.items)) for (const item of value.items as Fields[]) change(item);
    else if (value._id !== undefined) change(value);
  });
};
/** A rare thing, the same in each run: every tenth call. */
const everyTenth = (): (() => boolean) => {
  let count = 0;
  return () => ++count % 10 === 0;
};

/** Twenty servers that use the freedom the interface leaves. The judge may warn of what is public; no error is right. */
export const legitimate: readonly Stranger[] = [
  free(
    'bad-request-for-everything',
    'refuses every bad request with 400 and the general body',
    'HTTP status code for each error condition: not shown',
    () => ({
      answer(answer, call) {
        if (isRefusal(answer) && pathOf(call).startsWith('/v1/') && answer.status !== 401)
          Object.assign(answer, jsonAnswer(400, { status: 400, message: 'Bad request.' }));
      },
    }),
  ),
  free(
    'forbidden-for-a-bad-key',
    'answers a bad key with 403',
    'HTTP status code for each error condition: not shown',
    () => ({
      answer(answer) {
        if (answer.status === 401)
          Object.assign(answer, jsonAnswer(403, { status: 403, message: 'Who are you?' }));
      },
    }),
  ),
  free(
    'gzip-unasked',
    'compresses JSON that nobody asked to have compressed',
    'Success: 200, one voice model',
    () => ({
      answer(answer) {
        if (!isJson(answer) || answer.body.length === 0) return;
        answer.body = gzipSync(answer.body);
        answer.headers['content-encoding'] = 'gzip';
      },
    }),
  ),
  free(
    'comments-in-the-stream',
    'sends comments, blocks without data, and event and id lines',
    'Each SSE message event carries one line starting with data:',
    () => ({
      block: (text) => `: still here\n\nevent: ping\n\nid: 7\nevent: message\n${text}\n\n`,
    }),
  ),
  free('stream-with-crlf', 'ends the lines of the stream with CR LF', 'text/event-stream', () => ({
    block: (text) => `${text}\r\n\r\n`,
  })),
  free(
    'new-fields-everywhere',
    'adds fields of its own to all JSON',
    'Fields beyond those shown are not forbidden',
    () => ({
      answer(answer, call) {
        if (!isJson(answer)) return;
        changeJson(answer, (value) => {
          if (!Array.isArray(value)) value.region = { name: 'north', since: null };
        });
        eachModel(answer, call, (model) => {
          model.rating = 4.5;
        });
      },
      event: (payload) => [{ ...payload, server: 'north-1' }],
    }),
  ),
  free(
    'octet-stream',
    'gives audio as application/octet-stream',
    'Content type of the success response and whether the body is delivered incrementally: not shown',
    () => ({
      answer(answer, call) {
        if (isSpeech(answer, call)) answer.headers['content-type'] = 'application/octet-stream';
      },
    }),
  ),
  free(
    'audio-in-one-piece',
    'delivers audio whole, with a length',
    'whether the body is delivered incrementally: not shown',
    () => ({
      answer: () => undefined,
    }),
  ),
  free(
    'bodies-after-changes',
    'answers PATCH and DELETE with bodies of its own',
    'Success body of PATCH and DELETE on /model/{id}: not shown',
    () => ({
      answer(answer, call) {
        if (answer.status !== 200) return;
        if (call.method === 'PATCH') Object.assign(answer, jsonAnswer(200, { ok: true, changed: ['title'] }));
        if (call.method === 'DELETE')
          Object.assign(answer, { headers: { 'content-type': 'text/plain' }, body: Buffer.from('gone') });
      },
    }),
  ),
  free(
    'created-with-200',
    'answers POST /model with 200 and the id alone',
    'Request and response shapes of POST /model: not shown',
    () => ({
      answer(answer, call) {
        if (call.method !== 'POST' || pathOf(call) !== '/model' || answer.status !== 201) return;
        const made = JSON.parse(String(answer.body)) as Fields;
        Object.assign(answer, jsonAnswer(200, { _id: made._id }));
      },
    }),
  ),
  free(
    'wav-with-more-chunks',
    'puts a LIST chunk before the samples and writes the sizes of a stream',
    'wav | 16-bit, mono',
    () => ({
      answer(answer, call) {
        if (!isSpeech(answer, call) || answer.body.toString('latin1', 0, 4) !== 'RIFF') return;
        const data = answer.body.indexOf('data', 12, 'latin1');
        const list = Buffer.concat([Buffer.from('LIST'), Buffer.from([8, 0, 0, 0]), Buffer.from('INFOIART')]);
        answer.body = Buffer.concat([answer.body.subarray(0, data), list, answer.body.subarray(data)]);
        answer.body.writeUInt32LE(0xffffffff, 4);
        answer.body.writeUInt32LE(0xffffffff, data + list.length + 4);
      },
    }),
  ),
  free('mp3-with-a-tag', 'puts an ID3 tag before the first frame of mp3', 'mp3 | mono', () => ({
    answer(answer, call) {
      if (isSpeech(answer, call) && answer.headers['content-type'] === 'audio/mpeg')
        answer.body = Buffer.concat([
          Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 10]),
          Buffer.alloc(10),
          answer.body,
        ]);
    },
  })),
  free(
    'quality-of-any-shape',
    'gives quality contents of its own, and no quality where there is none',
    'Contents of the quality object inside an audio entry: not shown',
    () => ({
      answer: (answer, call) =>
        eachModel(answer, call, (model) => {
          const date = String(model.created_at);
          const audio = {
            filename: 'a.wav',
            duration_ms: 1200,
            quality: { verdict: 'good', notes: ['clear'], score: { mean: 4 } },
          };
          model.quality = { created_at: date, updated_at: date, audios: [audio] };
          model.samples = [{ anything: 1 }];
        }),
    }),
  ),
  free(
    'required-fields-only',
    'gives of a voice model the required fields only',
    'train_mode | string | no',
    () => ({
      answer: (answer, call) =>
        eachModel(answer, call, (model) => {
          const optional =
            'description cover_image train_mode samples languages lock_visibility dmca_taken_down default_text source quality unliked liked marked';
          for (const name of optional.split(' ')) delete model[name];
        }),
    }),
  ),
  free(
    'no-alignment',
    'has no alignment to offer',
    'Null before the first snapshot exists or when alignment is unavailable',
    () => ({
      event: (payload) => [{ ...payload, alignment: null }],
    }),
  ),
  free(
    'audio-cut-in-the-middle',
    'cuts each piece of audio in two and repeats the snapshot',
    'Chunks are transport units, not sentence or word boundaries',
    () => ({
      event(payload) {
        const bytes = Buffer.from(String(payload.audio_base64), 'base64');
        const at = Math.floor(bytes.length / 2);
        return [bytes.subarray(0, at), bytes.subarray(at)].map((part) => ({
          ...payload,
          audio_base64: part.toString('base64'),
        }));
      },
    }),
  ),
  free(
    'filters-have-other-names',
    'knows none of the query parameters and ignores them',
    'Names of the query parameters: not shown',
    () => ({
      call(call) {
        if (pathOf(call) === '/model') call.path = '/model';
        return undefined;
      },
    }),
  ),
  free('busy-now-and-then', 'answers every tenth call with 429', 'Rate limits and quotas: not shown', () => {
    const isTenth = everyTenth();
    return {
      call: () => (isTenth() ? jsonAnswer(429, { status: 429, message: 'Too many requests.' }) : undefined),
    };
  }),
  free(
    'another-live-protocol',
    'speaks another protocol over the live socket',
    'Messages, parameters and framing of the live WebSocket protocol: not shown',
    () => ({
      fromServer: () => [{ kind: 'speech', data: new Uint8Array(4) }],
    }),
  ),
  free(
    'exact-credit-and-dates',
    'gives credit with many digits and dates with an offset',
    'Unit and precision of credit: not shown',
    () => ({
      answer(answer, call) {
        if (answer.status !== 200 || !isJson(answer)) return;
        changeJson(answer, (value) => {
          if (typeof value.credit === 'string') value.credit = '99.123456789012345678';
          for (const name of ['created_at', 'updated_at'])
            if (typeof value[name] === 'string') value[name] = '2025-03-01T09:30:00.123456+02:00';
        });
        if (pathOf(call).startsWith('/wallet'))
          answer.headers['content-type'] = 'Application/JSON; Charset=UTF-8';
      },
    }),
  ),
];
