import { type Answer, type Behaviour, type Call, changeJson, type Fields, jsonAnswer } from './proxy.ts';
import type { Stranger } from './stranger.ts';

const stated = (id: string, does: string, sentence: string, behave: () => Behaviour): Stranger => ({
  id,
  does,
  sentence,
  rests: 'stated',
  behave,
});
const known = (
  rests: 'public' | 'assumed',
  id: string,
  does: string,
  sentence: string,
  behave: () => Behaviour,
): Stranger => ({
  id,
  does,
  sentence,
  rests,
  behave,
});

const pathOf = (call: Call): string => call.path.split('?')[0] ?? '';
const isSynthesis = (call: Call): boolean => pathOf(call).startsWith('/v1/tts') && call.method === 'POST';
const onSynthesis = (change: (fields: Fields, call: Call) => void): Behaviour => ({
  call(call) {
    if (isSynthesis(call) && call.fields !== undefined) change(call.fields, call);
    return undefined;
  },
  fromClient(message) {
    if (message.event === 'start') change(message.request as Fields, liveCall);
    return [message];
  },
});
const liveCall: Call = {
  method: 'GET',
  path: '/v1/tts/live',
  headers: {},
  body: Buffer.alloc(0),
  fields: undefined,
};
const withoutQuery = (name: string): Behaviour => ({
  call(call) {
    if (pathOf(call) !== '/model') return undefined;
    const url = new URL(call.path, 'http://stranger');
    url.searchParams.delete(name);
    call.path = url.pathname + url.search;
    return undefined;
  },
});
const onModels = (change: (model: Fields) => void): Behaviour => ({
  answer(answer, call) {
    if (!pathOf(call).startsWith('/model') || answer.status >= 300) return;
    changeJson(answer, (value) => {
      if (Array.isArray(value.items)) for (const item of value.items as Fields[]) change(item);
      else if (value._id !== undefined) change(value);
    });
  },
});
const segmentsOf = (payload: Fields): Fields[] =>
  ((payload.alignment as Fields | null | undefined)?.segments as Fields[] | undefined) ?? [];
const isRefusal = (answer: Answer): boolean => answer.status >= 400 && answer.status < 500;

/** Thirty lies that a server could plausibly tell. */
export const lies: readonly Stranger[] = [
  stated(
    'speed-ignored',
    'speaks at speed 1 whatever prosody says',
    'prosody: Speed and volume adjustment',
    () =>
      onSynthesis((fields) => {
        delete fields.prosody;
      }),
  ),
  stated('half-the-text', 'speaks the first half of a text only', 'turns text into audio', () =>
    onSynthesis((fields) => {
      const text = String(fields.text ?? '');
      if (text.length >= 12 && !text.includes('<|')) fields.text = text.slice(0, Math.ceil(text.length / 2));
    }),
  ),
  stated(
    'rate-from-the-model',
    'gives wav at 24000 Hz where no rate is asked for',
    'When null, the format default applies (44100, or 48000 for opus)',
    () =>
      onSynthesis((fields) => {
        if (fields.format === 'wav' && (fields.sample_rate ?? null) === null) fields.sample_rate = 24000;
      }),
  ),
  stated('mp3-always-128', 'encodes mp3 at 128 kbps whatever was asked', 'mp3_bitrate: 64, 128, 192', () =>
    onSynthesis((fields) => {
      delete fields.mp3_bitrate;
    }),
  ),
  stated(
    'msgpack-format-lost',
    'reads the text of a MessagePack body and forgets the format',
    'JSON and MessagePack accept the same fields',
    () =>
      onSynthesis((fields, call) => {
        if (call.headers['content-type']?.includes('msgpack')) delete fields.format;
      }),
  ),
  stated(
    'temperature-clamped',
    'clamps a temperature above 1 instead of refusing it',
    'temperature, top_p, early_stop_threshold | 0 to 1',
    () =>
      onSynthesis((fields) => {
        for (const name of ['temperature', 'top_p', 'early_stop_threshold'])
          if (typeof fields[name] === 'number') fields[name] = Math.min(1, Math.max(0, fields[name]));
      }),
  ),
  stated('speed-clamped', 'clamps a speed outside 0.5 to 2', 'prosody speed | 0.5 to 2.0', () =>
    onSynthesis((fields) => {
      const prosody = fields.prosody as Fields | null | undefined;
      if (typeof prosody?.speed === 'number') prosody.speed = Math.min(2, Math.max(0.5, prosody.speed));
    }),
  ),
  stated(
    'dialogue-on-any-model',
    'speaks dialogue on s1 too',
    'Multi-speaker dialogue is available with model s2-pro only',
    () =>
      onSynthesis((fields, call) => {
        if (Array.isArray(fields.reference_id)) call.headers.model = 's2-pro';
      }),
  ),
  stated(
    'trace-changes-speech',
    'speaks faster where a trace is sent',
    'The header does not change authentication, rate limits, billing, request priority or the generated output',
    () =>
      onSynthesis((fields, call) => {
        if (call.headers.traceparent !== undefined) fields.prosody = { speed: 1.6 };
      }),
  ),
  stated(
    'offsets-zero',
    'leaves chunk_audio_offset_sec at 0',
    'Absolute start (seconds) of this text chunk in the full audio',
    () => ({
      event: (payload) => [{ ...payload, chunk_audio_offset_sec: 0 }],
    }),
  ),
  stated(
    'global-times',
    'gives segment times in the full audio',
    "start (number, seconds from the start of that chunk's audio)",
    () => ({
      event(payload) {
        for (const segment of segmentsOf(payload)) {
          segment.start = Number(segment.start) + Number(payload.chunk_audio_offset_sec);
          segment.end = Number(segment.end) + Number(payload.chunk_audio_offset_sec);
        }
        return [payload];
      },
    }),
  ),
  stated(
    'new-segments-only',
    'sends in each snapshot only the segments that are new',
    'Latest cumulative snapshot for chunk_seq',
    () => {
      const sent = new Map<unknown, number>();
      return {
        event(payload) {
          const alignment = payload.alignment as Fields | null;
          if (alignment === null) return [payload];
          const segments = segmentsOf(payload);
          const seq = payload.chunk_seq;
          // Two streams at a time share this: a rough server, as such servers are.
          const known = Math.min(sent.get(seq) ?? 0, segments.length);
          sent.set(seq, segments.length);
          return [{ ...payload, alignment: { ...alignment, segments: segments.slice(known) } }];
        },
      };
    },
  ),
  stated(
    'content-of-everything',
    'gives the whole text as the content of every event',
    "Text described by this event's latest alignment snapshot",
    () => ({
      event: (payload, call) => [{ ...payload, content: String(call.fields?.text ?? payload.content) }],
    }),
  ),
  stated(
    'times-all-zero',
    'puts every segment at 0',
    "start (number, seconds from the start of that chunk's audio), end (number, seconds, same basis)",
    () => ({
      event(payload) {
        for (const segment of segmentsOf(payload)) Object.assign(segment, { start: 0, end: 0 });
        return [payload];
      },
    }),
  ),
  stated(
    'words-of-another-text',
    'names the same word in every segment',
    'text-to-audio alignment snapshots',
    () => ({
      event(payload) {
        for (const segment of segmentsOf(payload)) segment.text = 'word';
        return [payload];
      },
    }),
  ),
  stated(
    'any-key',
    'accepts any key',
    'Every endpoint takes the header Authorization: Bearer <API_KEY>',
    () => ({
      call(call) {
        if (call.headers.authorization !== undefined) call.headers.authorization = 'Bearer sandbox-key';
        return undefined;
      },
    }),
  ),
  stated(
    'key-with-a-tail',
    'compares as many characters as its key has',
    'Every endpoint takes the header Authorization: Bearer <API_KEY>',
    () => ({
      call(call) {
        if (call.headers.authorization?.startsWith('Bearer sandbox-key'))
          call.headers.authorization = 'Bearer sandbox-key';
        return undefined;
      },
    }),
  ),
  stated(
    'key-on-reading-only-by-speech',
    'checks no key where it only reads',
    'All HTTP endpoints need the Authorization header',
    () => ({
      call(call) {
        if (call.method === 'GET') call.headers.authorization = 'Bearer sandbox-key';
        return undefined;
      },
    }),
  ),
  stated(
    'validation-in-detail',
    'wraps the validation list in an object with `detail`',
    'Validation error | array of objects',
    () => ({
      answer(answer) {
        if (isRefusal(answer))
          changeJson(answer, (value) => (Array.isArray(value) ? { detail: value } : value));
      },
    }),
  ),
  stated(
    'no-in-on-models',
    'leaves out `in` on the model endpoints',
    'on model endpoints an in field (for example path) is also present',
    () => ({
      answer(answer) {
        if (isRefusal(answer))
          changeJson(answer, (value) => {
            if (Array.isArray(value)) for (const item of value as Fields[]) delete item.in;
          });
      },
    }),
  ),
  stated(
    'short-audio-heard',
    'transcribes audio of less than a second',
    'at least 1 second of audio',
    () => ({
      answer(answer, call) {
        if (pathOf(call) !== '/v1/asr' || answer.status < 400 || !/second/i.test(String(answer.body))) return;
        Object.assign(answer, jsonAnswer(200, { text: 'Hello.', duration: 0.5, segments: [] }));
      },
    }),
  ),
  stated(
    'times-in-milliseconds',
    'gives the duration and times of a transcription in milliseconds',
    'duration (number, seconds)',
    () => ({
      answer(answer, call) {
        if (pathOf(call) !== '/v1/asr' || answer.status !== 200) return;
        changeJson(answer, (value) => {
          value.duration = Math.round(Number(value.duration) * 1000);
          for (const segment of value.segments as Fields[]) {
            segment.start = Math.round(Number(segment.start) * 1000);
            segment.end = Math.round(Number(segment.end) * 1000);
          }
        });
      },
    }),
  ),
  known(
    'public',
    'self-flag-ignored',
    "lists everybody's models with self=true",
    'a flag that restricts results to models created by the caller',
    () => withoutQuery('self'),
  ),
  stated('page-zero', 'treats page 0 as page 1', 'GET /model page size and page number | at least 1', () => ({
    call(call) {
      call.path = call.path
        .replace(/page_number=(0|-\d+)(?=&|$)/, 'page_number=1')
        .replace(/page_size=(0|-\d+)(?=&|$)/, 'page_size=1');
      return undefined;
    },
  })),
  known(
    'public',
    'patch-empties-the-rest',
    'empties the description when only the title is changed',
    'no field is required',
    () => ({
      call(call) {
        if (call.method === 'PATCH' && call.fields !== undefined && call.fields.description === undefined)
          call.fields.description = '';
        return undefined;
      },
    }),
  ),
  known(
    'assumed',
    'updated-at-never-moves',
    'gives updated_at the value of created_at for ever',
    'updated_at | string, date-time',
    () =>
      onModels((model) => {
        model.updated_at = model.created_at;
      }),
  ),
  stated('ascii-titles', 'replaces what is not ASCII in titles', 'title | string', () =>
    onModels((model) => {
      model.title = String(model.title).replace(/[^ -~]/gu, '?');
    }),
  ),
  known(
    'public',
    'one-trace-for-all',
    'answers every untraced call with one trace id',
    'When it is omitted or invalid, the service starts a new trace',
    () => ({
      answer(answer, call) {
        const name = Object.keys(answer.headers).find((header) => header.includes('trace'));
        if (name !== undefined && call.headers.traceparent === undefined)
          answer.headers[name] = '4bf92f3577b34da6a3ce929d0e0e4736';
      },
    }),
  ),
  known(
    'public',
    'live-silent',
    'accepts live connections and never answers',
    'streams text to speech in real time',
    () => ({ fromClient: () => [] }),
  ),
  known(
    'public',
    'live-flush-does-nothing',
    'takes no notice of flush',
    '{event:"flush"}: speak what is buffered now',
    () => ({
      fromClient: (message) => (message.event === 'flush' ? [] : [message]),
    }),
  ),
];
