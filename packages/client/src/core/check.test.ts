import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { SpeechRequest } from '../index.ts';
import { RequestError } from '../index.ts';
import { clientOf, errorOf, tone } from '../testing/samples.ts';
import { startServer } from '../testing/start-server.ts';

// Requests that the client itself refuses, with the words of each message. Nothing reaches the service.

type Client = ReturnType<typeof clientOf>;
type Call = (client: Client) => PromiseLike<unknown> | readonly PromiseLike<unknown>[];
type Row = readonly [title: string, call: Call, words: string, field?: string];

/** A value that the compiler would refuse. */
const wrong = <Type>(value: unknown): Type => value as Type;
const speak =
  (request: unknown, options: unknown = {}): Call =>
  ({ speech }) => [
    speech.create(wrong<SpeechRequest>(request), wrong(options)),
    speech.streamWithTimestamps(wrong<SpeechRequest>(request), wrong(options)),
  ];
const say = (fields: object, options?: object) => speak({ text: 'Hi.', ...fields }, options);
const endless: Record<string, unknown> = {};
endless.fields = endless;
const sample = (audio: unknown) => say({ references: [{ audio, text: 'A sample.' }] });
const transcribe =
  (request: unknown): Call =>
  ({ transcriptions }) =>
    transcriptions.create(wrong(request));
const update =
  (changes: unknown, options = {}): Call =>
  ({ models }) =>
    models.update('mine', wrong(changes), options);
const byId =
  (id: unknown): Call =>
  ({ models }) => [
    models.get(wrong(id)),
    models.delete(wrong(id)),
    models.update(wrong(id), { title: 'x' }),
    models.waitUntilTrained(wrong(id)),
  ];
const byUser =
  (id: unknown): Call =>
  ({ wallet }) => [wallet.getApiCredit(wrong(id)), wallet.getPackage(wrong(id))];
const asForm = { contentType: 'application/x-www-form-urlencoded' } as const;
const dialogue = { text: '<|speaker:0|>Hi.', reference_id: ['a', 'b'] };

const rows: readonly Row[] = [
  ['no text', speak({}), 'text is missing; pass what is to be spoken', 'text'],
  ['a number as text', speak({ text: 5 }), 'text must be a string: what is to be spoken', 'text'],
  ['a list as text', speak({ text: ['Hi.'] }), 'text must be a string', 'text'],
  ['a BigInt', say({ max_new_tokens: 5n }), 'cannot be a bigint', 'max_new_tokens'],
  ['a Date', say({ reference_id: new Date(0) }), 'reference_id cannot be a Date', 'reference_id'],
  ['a function', say({ reference_id: () => 'a' }), 'reference_id cannot be a function', 'reference_id'],
  ['half a character', speak({ text: 'half \ud83d' }), 'text holds half a character', 'text'],
  ['NaN', say({ temperature: Number.NaN }), 'temperature cannot be NaN', 'temperature'],
  ['Infinity', say({ prosody: { speed: Infinity } }), 'speed cannot be Infinity', 'prosody.speed'],
  ['an empty voice', say({ reference_id: '' }), 'reference_id is empty', 'reference_id'],
  ['a rate that wav lacks', say({ format: 'wav', sample_rate: 48000 }), 'sample_rate', 'sample_rate'],
  ['a rate that mp3, the default, lacks', say({ sample_rate: 16000 }), 'sample_rate', 'sample_rate'],
  ['a rate as a text', say({ sample_rate: '44100' }), 'sample_rate "44100" is not available'],
  ['a dialogue on s1', speak(dialogue, { model: 's1' }), 'model', 'model'],
  ['a tag without a speaker', speak({ ...dialogue, text: '<|speaker:2|>Hi.' }), 'text', 'text'],
  ['a model that no header can carry', say({}, { model: 's2\r\nx: y' }), 'model must be a name', 'model'],
  ['a path as a sample', sample('a.wav'), 'audio of a reference is a text; read', 'references'],
  ['a promise as a sample', sample(Promise.resolve()), '0.audio cannot be a Promise; await it first'],
  ['a stream as a sample', sample(new Blob(['x']).stream()), '0.audio cannot be a stream; read it'],
  ['a stream of Node', sample(Readable.from([tone()])), '0.audio cannot be a stream; read it'],
  ['fields that hold themselves', say({}, { extra: endless }), 'body is too deep', 'body'],
  ['binary in JSON', update({ cover_image: tone() }), 'which application/json cannot carry', 'body'],

  ['no recording', transcribe({}), 'audio must be bytes', 'audio'],
  ['an upload', transcribe({ audio: { buffer: tone() } }), 'await readAudio(file.buffer, { name })', 'audio'],
  ['a recording as a stream', transcribe({ audio: Readable.from([]) }), 'audio cannot be a stream; read it'],
  ['a recording as a promise', transcribe({ audio: Promise.resolve() }), 'audio cannot be a Promise; await'],
  ['a recording as an answer', transcribe({ audio: new Response() }), 'await readAudio(response)', 'audio'],
  ['a recording that is a path', transcribe({ audio: './a.mp3' }), 'audio is a text; read', 'audio'],
  ['several recordings', transcribe({ audio: [tone(), tone()] }), 'audio must be one file', 'audio'],
  ['an empty recording', transcribe({ audio: new Uint8Array() }), 'audio is empty', 'audio'],
  ['more than 20 MB', transcribe({ audio: new Uint8Array(20_000_001) }), '@speech-api/recordings', 'audio'],

  ['null alone in a form', update({ title: null }, asForm), 'body is empty, which a form cannot', 'body'],
  ['an empty list in a form', update({ tags: [] }, asForm), 'tags is empty, which a form cannot', 'tags'],

  ...[undefined, null, '', '.', '..', 5, {}, []].map(
    (id): Row => [`the id ${JSON.stringify(id)}`, byId(id), 'id cannot be', 'id'],
  ),
  ...[null, '', '..', 5].map(
    (id): Row => [`the user ${JSON.stringify(id)}`, byUser(id), 'user_id cannot be', 'user_id'],
  ),
];

test.for(rows)('%s is refused', async ([, call, words, field]) => {
  const server = await startServer((_request, response) => response.end(tone()));
  for (const promise of [call(clientOf(server.url))].flat()) {
    const error = (await errorOf(promise)) as RequestError;
    expect(error).toBeInstanceOf(RequestError);
    expect(error.message).toContain(words);
    expect(error).toMatchObject({ code: 'request', ...(field && { field }) });
  }
  expect(server.seen).toEqual([]);
});

test.each(['a/b', 'a?b', 'a#b', '%2e%2e', 'a b', '故', '../x'])(
  'the id %s is one part of a path',
  async (id) => {
    const server = await startServer((_request, response) => response.end('{}'));
    await errorOf(clientOf(server.url).models.get(id));
    expect(decodeURIComponent(server.seen[0]?.url.slice('/model/'.length) ?? '')).toBe(id);
  },
);
