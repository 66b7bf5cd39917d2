import { blocks, fieldsOf, goodKey, keyedWith, onSuccess, queryOf, set, without } from '../mutants/change.ts';
import {
  below,
  instead,
  isRefusal,
  jsonAnswer,
  onEvent,
  onJson,
  onMethod,
  onModels,
  onSpeech,
  type Strangers,
} from './stranger.ts';

const isMp3 = (asked: { readonly format?: unknown }) => (asked.format ?? 'mp3') === 'mp3';

/** Sentences drawn from the interface, each broken in one plausible way that no mutant shows to the default run. */
export const quotable: Strangers = {
  'two-files': [
    'one audio file per request',
    below('/v1/asr', {
      answer: (answer, { body }) =>
        isRefusal(answer) && body.toString('latin1').split('name="audio"').length > 2
          ? jsonAnswer(200, { text: 'Hello.', duration: 2, segments: [] })
          : undefined,
    }),
  ],
  'update-drops-tags': [
    'Model update body fields: tags (array of string)',
    { concerns: (method) => method === 'PATCH', request: without('tags') },
  ],
  'wav-never-8000': [
    'wav and pcm: 8000, 16000, 24000, 32000, 44100',
    onSpeech(set('sample_rate', (rate) => (rate === 8000 ? 16000 : rate))),
  ],
  'cover-null': ['cover_image | string', onModels(set('cover_image', () => null))],
  'basic-accepted': [
    'Every endpoint takes the header Authorization: Bearer <API_KEY>',
    { request: keyedWith((given) => given?.startsWith('Basic') === true) },
  ],
  'mp3-default-32000': [
    'When null, the format default applies (44100, or 48000 for opus)',
    onSpeech((asked) =>
      isMp3(asked) && (asked.sample_rate ?? null) === null ? { ...asked, sample_rate: 32000 } : asked,
    ),
  ],
  'deleted-and-there': [
    'Voice models: list, create, read, update and delete saved voices',
    instead('/model/', ({ method, headers }) =>
      method === 'DELETE' && headers.authorization === goodKey ? jsonAnswer(200, {}) : undefined,
    ),
  ],
  'state-ready': [
    'state: created, training, trained, failed',
    onModels(set('state', (state) => (state === 'trained' ? 'ready' : state))),
  ],
  'delete-204': [
    'DELETE /model/{id}: 200',
    onMethod('DELETE', '/model/', (answer) => ({ ...answer, status: 204, body: Buffer.alloc(0) })),
  ],
  'no-nested-references': [
    'for multi-speaker an array of such arrays, one per speaker',
    instead('/v1/tts', (call) => {
      const { references } = fieldsOf(call) ?? {};
      const issue = { loc: ['body', 'references'], type: 'type', msg: 'Not an object.', ctx: '' };
      return Array.isArray(references) && Array.isArray(references[0]) ? jsonAnswer(422, [issue]) : undefined;
    }),
  ],
  'any-latency': [
    'latency: low, normal, balanced',
    onSpeech(
      set('latency', (given) => (['low', 'normal', 'balanced'].includes(String(given)) ? given : undefined)),
    ),
  ],
};

/** More of them, some of which rest on what is only public. */
export const others: Strangers = {
  'each-chunk-a-file': [
    'Concatenating all decoded chunks in arrival order gives the complete audio',
    () => {
      let head: Buffer | undefined;
      return onEvent((event) => {
        const audio = Buffer.from(event.audio_base64, 'base64');
        if (audio.toString('latin1', 0, 4) === 'RIFF') head = audio.subarray(0, 44);
        else if (head !== undefined && audio.length > 0)
          return { ...event, audio_base64: Buffer.concat([head, audio]).toString('base64') };
        return event;
      });
    },
  ],
  'author-despite-self': [
    'author id filter (ignored when that flag is true)',
    onJson('/model', (body, call) =>
      queryOf(call).get('self') === 'true' && queryOf(call).has('author_id')
        ? { ...body, total: 0, items: [], has_more: false }
        : body,
    ),
  ],
  'no-letters-beyond-the-bmp': [
    'title | string',
    onModels(set('title', (title) => String(title).replace(/[\u{10000}-\u{10ffff}]/gu, '\ufffd'))),
  ],
  'always-more': [
    'has_more (boolean)',
    onJson(
      '/model',
      set('has_more', () => true),
    ),
  ],
  'total-of-the-page': [
    'total (integer)',
    onJson('/model', (body) => (Array.isArray(body.items) ? { ...body, total: body.items.length } : body)),
  ],
  'sequence-as-text': ['chunk_seq | integer', onEvent(set('chunk_seq', String))],
  'duration-of-everything': [
    "Duration in seconds of that chunk's audio",
    onEvent(({ alignment, ...event }) => {
      const before = event.chunk_audio_offset_sec;
      const changed = alignment && { ...alignment, audio_duration: alignment.audio_duration + before };
      return { ...event, alignment: changed };
    }),
  ],
  'data-on-two-lines': [
    'one line starting with data: followed by one JSON payload',
    below('/v1/tts', {
      answer: onSuccess(blocks((all) => all.map((each) => each.replace('{', '{\ndata: ')))),
    }),
  ],
  'tail-lost': [
    'turns text into audio',
    onMethod('POST', '/v1/tts', (answer, call) =>
      isMp3(fieldsOf(call) ?? {}) && answer.body.length > 40_000
        ? { ...answer, body: answer.body.subarray(0, answer.body.length * 0.66) }
        : undefined,
    ),
  ],
  'live-without-key': [
    'The WebSocket upgrade request carries the same header',
    below('/v1/tts/live', { request: keyedWith(() => true) }),
  ],
  'text-cut-at-200': [
    'text: Text to speak',
    onSpeech(set('text', (text) => (typeof text === 'string' ? text.slice(0, 200) : text))),
  ],
};
