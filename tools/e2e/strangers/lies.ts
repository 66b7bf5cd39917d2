import {
  isRefusal,
  isSynthesis,
  jsonAnswer,
  onCall,
  onEvent,
  onJson,
  onModels,
  onSpeech,
  onSuccess,
  pathOf,
  type Stranger,
  withoutQuery,
} from './changes.ts';
import { type Answer, changeJson, type Fields } from './proxy.ts';

const lie = (id: string, sentence: string, behave: Stranger['behave']): Stranger => ({
  id,
  sentence,
  behave,
});
const goodKey = 'Bearer sandbox-key';
const clamp = (fields: Fields, name: string, low: number, high: number): void => {
  const value = fields[name];
  if (typeof value === 'number') fields[name] = Math.min(high, Math.max(low, value));
};

/** Twenty sentences drawn from the interface with seed 2020, each broken in one plausible way. */
export const quotable: readonly Stranger[] = [
  lie('two-files', 'one audio file per request', () => ({
    answer(answer, call) {
      if (pathOf(call) !== '/v1/asr' || !isRefusal(answer)) return;
      if (String(call.body.toString('latin1')).split('name="audio"').length > 2)
        Object.assign(answer, jsonAnswer(200, { text: 'Hello.', duration: 2, segments: [] }));
    },
  })),
  lie(
    'opus-always-24',
    'opus_bitrate: -1000 (automatic), 24000, 32000, 48000, 64000',
    onSpeech((fields) => {
      if (fields.format === 'opus') fields.opus_bitrate = 24000;
    }),
  ),
  lie(
    'update-drops-tags',
    'Model update body fields: tags (array of string)',
    onCall('/model/', (call) => {
      if (call.method === 'PATCH' && call.fields !== undefined) delete call.fields.tags;
    }),
  ),
  lie(
    'count-as-text',
    'task_count | integer',
    onModels((model) => {
      model.task_count = String(model.task_count);
    }),
  ),
  lie(
    'wav-never-8000',
    'wav and pcm: 8000, 16000, 24000, 32000, 44100',
    onSpeech((fields) => {
      if (fields.sample_rate === 8000) fields.sample_rate = 16000;
    }),
  ),
  lie(
    'page-size-zero',
    'GET /model page size and page number: at least 1',
    onCall('/model', (call) => {
      call.path = call.path.replace(/page_size=(0|-\d+)(?=&|$)/, 'page_size=10');
    }),
  ),
  lie(
    'credit-as-number',
    'credit string',
    onJson('/wallet/', (value) => {
      if (value.credit !== undefined) value.credit = Number(value.credit);
    }),
  ),
  lie(
    'cover-null',
    'cover_image | string',
    onModels((model) => {
      model.cover_image = null;
    }),
  ),
  lie('basic-accepted', 'Every endpoint takes the header Authorization: Bearer <API_KEY>', () => ({
    call(call) {
      if (call.headers.authorization?.startsWith('Basic')) call.headers.authorization = goodKey;
      return undefined;
    },
  })),
  lie(
    'mp3-default-32000',
    'When null, the format default applies (44100, or 48000 for opus)',
    onSpeech((fields) => {
      const mp3 = (fields.format ?? 'mp3') === 'mp3';
      if (mp3 && (fields.sample_rate ?? null) === null) fields.sample_rate = 32000;
    }),
  ),
  lie(
    'deleted-and-there',
    'Voice models: list, create, read, update and delete saved voices',
    onCall('/model/', (call) =>
      call.method === 'DELETE' && call.headers.authorization === goodKey ? jsonAnswer(200, {}) : undefined,
    ),
  ),
  lie(
    'early-stop-clamped',
    'early_stop_threshold: 0 to 1',
    onSpeech((fields) => {
      clamp(fields, 'early_stop_threshold', 0, 1);
    }),
  ),
  lie(
    'price-id-zero',
    'payment_price_id | string or null',
    onJson('/wallet/', (value) => {
      if (value.balance !== undefined) value.payment_price_id = 0;
    }),
  ),
  lie(
    'state-ready',
    'state: created, training, trained, failed',
    onModels((model) => {
      if (model.state === 'trained') model.state = 'ready';
    }),
  ),
  lie('asr-error-string', '/v1/asr: two general error bodies and the validation list', () => ({
    answer(answer, call) {
      if (pathOf(call) === '/v1/asr' && isRefusal(answer))
        Object.assign(answer, jsonAnswer(answer.status, { error: 'invalid_request' }));
    },
  })),
  lie(
    'delete-204',
    'DELETE /model/{id}: 200',
    onSuccess('DELETE', '/model/', (answer) => {
      Object.assign(answer, { status: 204, body: Buffer.alloc(0) });
    }),
  ),
  lie(
    'package-without-type',
    'Package: type | string | required',
    onJson('/wallet/', (value) => {
      if (value.balance !== undefined) delete value.type;
    }),
  ),
  lie(
    'no-nested-references',
    'for multi-speaker an array of such arrays, one per speaker',
    onCall('/v1/tts', (call) => {
      if (Array.isArray((call.fields?.references as unknown[] | undefined)?.[0]))
        return jsonAnswer(422, [
          { loc: ['body', 'references'], type: 'type', msg: 'Not an object.', ctx: '' },
        ]);
    }),
  ),
  lie(
    'any-latency',
    'latency: low, normal, balanced',
    onSpeech((fields) => {
      if (!['low', 'normal', 'balanced', undefined].includes(fields.latency as string)) delete fields.latency;
    }),
  ),
  lie(
    'never-segments',
    'send false to receive timed segments',
    onJson('/v1/asr', (value) => {
      value.segments = [];
    }),
  ),
];

/** Twenty more that somebody could tell; some rest on what is only public. */
export const others: readonly Stranger[] = [
  lie(
    'each-chunk-a-file',
    'Concatenating all decoded chunks in arrival order gives the complete audio',
    () => {
      let header: Buffer | undefined;
      return {
        event(payload) {
          const audio = Buffer.from(String(payload.audio_base64), 'base64');
          if (audio.subarray(0, 4).toString('latin1') === 'RIFF') header = audio.subarray(0, 44);
          else if (header !== undefined && audio.length > 0)
            payload.audio_base64 = Buffer.concat([header, audio]).toString('base64');
          return [payload];
        },
      };
    },
  ),
  lie('author-despite-self', 'author id filter (ignored when that flag is true)', () => ({
    answer(answer, call) {
      const query = new URL(call.path, 'http://stranger').searchParams;
      if (pathOf(call) !== '/model' || query.get('self') !== 'true' || query.get('author_id') === null)
        return;
      changeJson(answer, (value) => ({ ...value, total: 0, items: [], has_more: false }));
    },
  })),
  lie(
    'no-letters-beyond-the-bmp',
    'title | string',
    onModels((model) => {
      model.title = String(model.title).replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd');
    }),
  ),
  lie(
    'speakers-swapped',
    'reference_id is an array of voice model ids in speaker order',
    onSpeech((fields) => {
      if (Array.isArray(fields.reference_id)) fields.reference_id.reverse();
    }),
  ),
  lie(
    'chunk-length-clamped',
    'chunk_length: 100 to 300',
    onSpeech((fields) => clamp(fields, 'chunk_length', 100, 300)),
  ),
  lie(
    'always-more',
    'has_more (boolean)',
    onJson('/model', (value) => {
      if (value.items !== undefined) value.has_more = true;
    }),
  ),
  lie(
    'total-of-the-page',
    'total (integer)',
    onJson('/model', (value) => {
      if (Array.isArray(value.items)) value.total = value.items.length;
    }),
  ),
  lie(
    'invalid-trace-refused',
    'When it is omitted or invalid, the service starts a new trace',
    onCall('/v1/', (call) => {
      const trace = call.headers.traceparent;
      if (trace !== undefined && !/^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/.test(trace))
        return jsonAnswer(400, { status: 400, message: 'traceparent is invalid.' });
    }),
  ),
  lie('title-filter-ignored', 'title filter', withoutQuery('title')),
  lie(
    'sequence-as-text',
    'chunk_seq | integer',
    onEvent((payload) => {
      payload.chunk_seq = String(payload.chunk_seq);
    }),
  ),
  lie(
    'duration-of-everything',
    "Duration in seconds of that chunk's audio",
    onEvent((payload, alignment) => {
      if (alignment !== null)
        alignment.audio_duration = Number(alignment.audio_duration) + Number(payload.chunk_audio_offset_sec);
    }),
  ),
  lie('data-on-two-lines', 'one line starting with data: followed by one JSON payload', () => ({
    block: (text) => `${text.replace('{', '{\ndata: ')}\n\n`,
  })),
  lie(
    'last-character-of-the-key',
    'Every endpoint takes the header Authorization: Bearer <API_KEY>',
    onCall('/', (call) => {
      if (call.headers.authorization?.startsWith(goodKey.slice(0, -1))) call.headers.authorization = goodKey;
    }),
  ),
  lie(
    'tail-lost',
    'turns text into audio',
    onSuccess('POST', '/v1/tts', (answer, call) => {
      const mp3 = (call.fields?.format as string | undefined) === 'mp3' || call.fields?.format === undefined;
      if (mp3 && answer.body.length > 40_000)
        answer.body = answer.body.subarray(0, answer.body.length * 0.66);
    }),
  ),
  lie(
    'volume-ignored',
    'Speed and volume adjustment',
    onSpeech((fields) => {
      if (fields.prosody) delete (fields.prosody as Fields).volume;
    }),
  ),
  lie(
    'asr-without-msgpack',
    'Content-Type multipart/form-data or application/msgpack',
    onCall('/v1/asr', (call) => {
      if (call.headers['content-type']?.includes('msgpack'))
        return jsonAnswer(415, { status: 415, message: 'Send multipart/form-data.' });
    }),
  ),
  lie('live-without-key', 'The WebSocket upgrade request carries the same header', () => ({
    upgrade(call) {
      call.headers.authorization = goodKey;
      return undefined;
    },
  })),
  lie(
    'dates-without-zone',
    'created_at | string, date-time',
    onModels((model) => {
      model.created_at = String(model.created_at).slice(0, 19).replace('T', ' ');
    }),
  ),
  lie(
    'text-cut-at-200',
    'text: Text to speak',
    onSpeech((fields) => {
      if (typeof fields.text === 'string') fields.text = fields.text.slice(0, 200);
    }),
  ),
  lie('errors-in-plain-text', 'General error: object with status (integer) and message (string)', () => ({
    answer(answer: Answer, call) {
      if (!isRefusal(answer) || !isSynthesis(call)) return;
      answer.headers['content-type'] = 'text/plain';
      answer.body = Buffer.from('Bad request');
    },
  })),
];
