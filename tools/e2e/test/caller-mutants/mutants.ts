import type { SpeechClient } from '@speech-api/client';
import { address, both, bytes, field, header, type Mutation, part, query, renamed } from './mutations.ts';

const clip = new File([new Uint8Array(2_000).fill(1)], 'a.wav');
const sample = { audio: new Uint8Array([1, 2, 3]), text: 'A sample.' };

/** Good calls of the client, by the operation they are for. */
export const goodCalls = {
  speech: ({ speech }) => speech.create({ text: 'Hello.', format: 'wav', prosody: { speed: 1.5 } }),
  stream: ({ speech }) => speech.streamWithTimestamps({ text: 'Hello.', format: 'opus' }),
  samples: ({ speech }) => speech.create({ text: 'Hello.', references: [sample] }),
  dialogue: ({ speech }) =>
    speech.create({ text: '<|speaker:0|>Hi.<|speaker:1|>Hello.', reference_id: ['a', 'b'] }),
  transcription: ({ transcriptions }) =>
    transcriptions.create({ audio: clip, language: 'en', ignore_timestamps: false }),
  list: ({ models }) => models.list({ page_size: 5, tag: ['calm', 'deep'] }),
  create: ({ models }) =>
    models.create({
      type: 'tts',
      title: 'Harbour',
      train_mode: 'fast',
      visibility: 'private',
      voices: [clip],
      texts: ['Good morning.'],
    }),
  get: ({ models }) => models.get('voice'),
  update: ({ models }) => models.update('voice', { title: 'Dusk', tags: ['evening'] }),
  delete: ({ models }) => models.delete('voice'),
  credit: ({ wallet }) => wallet.getApiCredit(),
  package: ({ wallet }) => wallet.getPackage(),
} as const satisfies Readonly<Record<string, (client: SpeechClient) => PromiseLike<unknown>>>;

export type GoodCall = keyof typeof goodCalls;

/** A mistake of a caller: which call, what is done to it, and where the mock must find it. */
export type Mutant = readonly [call: GoodCall, name: string, mutation: Mutation, rule: string, loc?: string];

const spoken = (['speech', 'stream'] as const).flatMap((call): Mutant[] => [
  [call, 'the key is gone', header('authorization'), 'key-missing'],
  [call, 'the key has no "Bearer"', header('authorization', 'any-key'), 'key-missing'],
  [call, 'the model header is gone', header('model'), 'schema', 'header.model'],
  [call, 'the content type is gone', header('content-type', ''), 'media-type'],
  [call, 'the content type is text', header('content-type', 'text/plain'), 'media-type'],
  [call, 'JSON says it is MessagePack', header('content-type', 'application/msgpack'), 'malformed-body'],
  [call, 'the body says it is compressed', header('content-encoding', 'gzip'), 'media-type'],
  [call, 'the body is cut', bytes((all) => all.slice(0, -3)), 'malformed-body'],
  [call, 'there is no text', field('text'), 'schema', 'body.text'],
  [call, 'the text is misspelt', renamed('text', 'txt'), 'schema', 'body.text'],
  [call, 'the text is a number', field('text', 7), 'schema', 'body.text'],
  [call, 'the text is null', field('text', null), 'schema', 'body.text'],
  [call, 'the text is empty', field('text', ''), 'rule'],
  [call, 'the format is misspelt', renamed('format', 'formatt'), 'schema', 'body.formatt'],
  [call, 'the format is unknown', field('format', 'flac'), 'schema', 'body.format'],
  [call, 'the format is in capitals', field('format', 'MP3'), 'schema', 'body.format'],
  [call, 'the rate is a string', field('sample_rate', '44100'), 'schema', 'body.sample_rate'],
]);

/** Every mistake that the mock is asked to find. */
export const mutants: readonly Mutant[] = [
  ...spoken,
  ['speech', 'a rate that no format has', field('sample_rate', 22050), 'schema', 'body.sample_rate'],
  ['speech', 'a rate that wav does not have', field('sample_rate', 48000), 'rule'],
  ['stream', 'a rate that opus does not have', field('sample_rate', 44100), 'rule'],
  ['speech', 'temperature too high', field('temperature', 1.1), 'schema', 'body.temperature'],
  ['speech', 'temperature below zero', field('temperature', -0.1), 'schema', 'body.temperature'],
  ['speech', 'temperature as a string', field('temperature', '0.5'), 'schema', 'body.temperature'],
  ['speech', 'temperature misspelt', field('temprature', 0.5), 'schema', 'body.temprature'],
  ['speech', 'top_p in camel case', field('topP', 0.5), 'schema', 'body.topP'],
  ['speech', 'top_p too high', field('top_p', 2), 'schema', 'body.top_p'],
  ['speech', 'chunk_length too small', field('chunk_length', 99), 'schema', 'body.chunk_length'],
  ['speech', 'chunk_length too large', field('chunk_length', 301), 'schema', 'body.chunk_length'],
  ['speech', 'chunk_length with a fraction', field('chunk_length', 150.5), 'schema', 'body.chunk_length'],
  ['speech', 'min_chunk_length too large', field('min_chunk_length', 101), 'schema', 'body.min_chunk_length'],
  ['speech', 'normalize as a string', field('normalize', 'true'), 'schema', 'body.normalize'],
  ['speech', 'mp3_bitrate in bits', field('mp3_bitrate', 128_000), 'schema', 'body.mp3_bitrate'],
  ['stream', 'opus_bitrate in kilobits', field('opus_bitrate', 32), 'schema', 'body.opus_bitrate'],
  ['speech', 'an unknown latency', field('latency', 'fast'), 'schema', 'body.latency'],
  ['speech', 'max_new_tokens as a string', field('max_new_tokens', '1024'), 'schema', 'body.max_new_tokens'],
  ['speech', 'early_stop_threshold too high', field('early_stop_threshold', 1.5), 'schema'],
  ['speech', 'condition_on_previous_chunks as a number', field('condition_on_previous_chunks', 1), 'schema'],
  ['speech', 'too fast', field('prosody', { speed: 2.5 }), 'schema', 'body.prosody.speed'],
  ['speech', 'a misspelt field of prosody', field('prosody', { sped: 1 }), 'schema', 'body.prosody.sped'],
  ['speech', 'prosody as a string', field('prosody', 'fast'), 'schema', 'body.prosody'],
  ['speech', 'reference_id as a number', field('reference_id', 5), 'schema', 'body.reference_id'],
  ['speech', 'reference_id null', field('reference_id', null), 'schema', 'body.reference_id'],
  ['speech', 'a path that is misspelt', address(undefined, () => '/v1/ttss'), 'unknown-path'],
  ['speech', 'a slash too many', address(undefined, (path) => `${path}/`), 'unknown-path'],
  ['speech', 'another method', address('PUT'), 'unknown-method'],
  ['speech', 'a parameter in the query', query('format=wav'), 'schema', 'query.format'],
  ['samples', 'samples that are none', field('references', []), 'schema', 'body.references'],
  ['samples', 'a sample without its text', field('references', [{ audio: sample.audio }]), 'schema'],
  ['samples', 'a sample as base64 text', field('references', [{ ...sample, audio: 'AQID' }]), 'schema'],
  [
    'samples',
    'a sample of no bytes',
    field('references', [{ ...sample, audio: new Uint8Array() }]),
    'schema',
  ],
  ['samples', 'a sample with an unknown field', field('references', [{ ...sample, speaker: 1 }]), 'schema'],
  ['samples', 'MessagePack that is cut', bytes((all) => all.slice(0, -1)), 'malformed-body'],
  [
    'samples',
    'MessagePack with something behind it',
    bytes((all) => Uint8Array.of(...all, 0)),
    'malformed-body',
  ],
  ['dialogue', 'a dialogue on s1', header('model', 's1'), 'rule'],
  ['dialogue', 'a dialogue on a later model', header('model', 's2.1-pro'), 'rule'],
  ['dialogue', 'a speaker too many', field('text', '<|speaker:2|>Hi.'), 'rule'],
  ['dialogue', 'samples of one speaker in a dialogue', field('references', [sample]), 'schema'],
  ['transcription', 'no file', part('audio'), 'schema', 'body.audio'],
  ['transcription', 'a file as text', part('audio', 'bytes'), 'schema', 'body.audio'],
  ['transcription', 'two files', part('audio', clip, clip), 'schema', 'body.audio'],
  ['transcription', 'a misspelt field', renamed('language', 'langage'), 'schema', 'body.langage'],
  [
    'transcription',
    'yes in place of true',
    part('ignore_timestamps', 'yes'),
    'schema',
    'body.ignore_timestamps',
  ],
  ['transcription', 'JSON, which is not accepted', json('{"audio":"AQID"}'), 'media-type'],
  ['list', 'a page size of zero', query('page_number=0'), 'schema', 'query.page_number'],
  [
    'list',
    'a page size in words',
    address(undefined, () => '/model?page_size=ten'),
    'schema',
    'query.page_size',
  ],
  ['list', 'brackets', query('language[]=en'), 'schema', 'query.language[]'],
  ['list', 'an unknown parameter', query('limit=5'), 'schema', 'query.limit'],
  ['list', 'an unknown order', query('sort_by=rating'), 'schema', 'query.sort_by'],
  ['list', 'maybe in place of true', query('self=maybe'), 'schema', 'query.self'],
  ['create', 'no title', part('title'), 'schema', 'body.title'],
  ['create', 'no voices', part('voices'), 'schema', 'body.voices'],
  ['create', 'voices as text', part('voices', 'a.wav'), 'schema'],
  ['create', 'an unknown train_mode', part('train_mode', 'slow'), 'schema', 'body.train_mode'],
  ['create', 'an unknown visibility', part('visibility', 'hidden'), 'schema', 'body.visibility'],
  ['create', 'a type of other models', part('type', 'svc'), 'schema', 'body.type'],
  ['create', 'public without a cover image', part('visibility', 'public'), 'model-rule'],
  ['create', 'more texts than voices', part('texts', 'One.', 'Two.'), 'model-rule'],
  ['create', 'voices under another name', renamed('voices', 'voice'), 'schema'],
  ['update', 'a misspelt title', renamed('title', 'titel'), 'schema', 'body.titel'],
  ['update', 'a title that is a number', field('title', 5), 'schema', 'body.title'],
  ['update', 'tags that are a number', field('tags', 5), 'schema', 'body.tags'],
  ['update', 'an unknown visibility', field('visibility', 'hidden'), 'schema', 'body.visibility'],
  ['update', 'another method', address('PUT'), 'unknown-method'],
  ['get', 'the key is gone', header('authorization'), 'key-missing'],
  ['get', 'a parameter in the query', query('full=true'), 'schema', 'query.full'],
  ['delete', 'no id', address(undefined, () => '/model'), 'unknown-method'],
  [
    'credit',
    'an underscore in place of a hyphen',
    address(undefined, () => '/wallet/self/api_credit'),
    'unknown-path',
  ],
  ['package', 'another method', address('POST'), 'unknown-method'],
  ['package', 'the version in front', address(undefined, (path) => `/v1${path}`), 'unknown-path'],
];

function json(text: string): Mutation {
  return both(header('content-type', 'application/json'), (request) => ({
    ...request,
    body: { kind: 'bytes', bytes: Uint8Array.from(new TextEncoder().encode(text)) },
  }));
}
