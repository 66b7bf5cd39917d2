import { describe, expect, test } from 'vitest';
import { readDocument, schemaCompiler } from './documents.ts';

const sample = { audio: 'AA==', text: 'Good evening.' };

const branches = ['SingleSpeakerRequest', 'DialogueRequest', 'ZeroShotDialogueRequest'] as const;

describe.each(['openapi.json', 'openapi-3.1.json'] as const)('a synthesis request by %s', (file) => {
  const compile = schemaCompiler(readDocument(file));
  const whole = compile('/components/schemas/SynthesisRequest');
  const validators = branches.map((name) => [name, compile(`/components/schemas/${name}`)] as const);
  const matches = (request: object) =>
    validators.filter(([, validate]) => validate(request)).map(([name]) => name);

  test.each<[string, object, (typeof branches)[number]]>([
    ['text alone', {}, 'SingleSpeakerRequest'],
    ['a saved voice', { reference_id: 'a' }, 'SingleSpeakerRequest'],
    ['inline samples', { references: [sample] }, 'SingleSpeakerRequest'],
    [
      'a saved voice beside inline samples',
      { reference_id: 'a', references: [sample] },
      'SingleSpeakerRequest',
    ],
    ['several saved voices', { reference_id: ['a', 'b'] }, 'DialogueRequest'],
    ['several inline voices', { reference_id: ['a'], references: [[sample]] }, 'ZeroShotDialogueRequest'],
  ])('is of exactly one branch with %s', (_words, voices, branch) => {
    const request = { text: 'Good morning.', ...voices };
    expect(matches(request)).toEqual([branch]);
    expect(whole(request)).toBe(true);
  });

  test.each<[string, object]>([
    ['an empty text, as a live session starts with', { text: '' }],
    ['a volume beyond the known range', { prosody: { speed: 2, volume: 40, normalize_loudness: false } }],
    ['null where null is allowed', { prosody: null, sample_rate: null }],
    ['the automatic bitrate', { format: 'opus', opus_bitrate: -1000 }],
    ['a bitrate that does not apply', { format: 'wav', mp3_bitrate: 64, opus_bitrate: 64000 }],
  ])('may have %s', (_words, fields) => {
    expect(whole({ text: 'Good morning.', ...fields })).toBe(true);
  });

  // The tables of `interface.test.ts` hold the ranges; here, that a schema of several parts keeps them.
  test.each<[string, object]>([
    ['no text', { text: undefined }],
    ['a text of null', { text: null }],
    ['a misspelt field', { temprature: 0.7 }],
    ['a speed above 2', { prosody: { speed: 2.01 } }],
    ['a null for a field without one', { format: null }],
    ['no inline sample', { references: [] }],
    ['a sample without its words', { references: [{ audio: 'AA==' }] }],
    ['a sample with more than audio and text', { references: [{ ...sample, language: 'en' }] }],
    ['no speaker', { reference_id: [] }],
    ['flat samples in a dialogue', { reference_id: ['a'], references: [sample] }],
    ['samples of several speakers without their ids', { references: [[sample]] }],
    ['a speaker without a sample', { reference_id: ['a'], references: [[]] }],
  ])('must not have %s', (_words, fields) => {
    const request = JSON.parse(JSON.stringify({ text: 'Good morning.', ...fields }));
    expect(whole(request)).toBe(false);
  });
});

describe.each(['openapi.json', 'openapi-3.1.json'] as const)('the other requests by %s', (file) => {
  const compile = schemaCompiler(readDocument(file));

  test('creates a voice from one recording or from 1 to 20', () => {
    const create = compile('/components/schemas/CreateModelRequest');
    const voice = { type: 'tts', title: 'Dusk', train_mode: 'fast' };
    const allowed = ['AA==', ['AA=='], Array(20).fill('AA==')].map((voices) => create({ ...voice, voices }));
    const refused = [[], Array(21).fill('AA=='), undefined].map((voices) => create({ ...voice, voices }));
    expect([allowed, refused]).toEqual([
      // For tools of 3.1, one recording is an array with one entry.
      [file === 'openapi.json', true, true],
      [false, false, false],
    ]);
    expect(create({ ...voice, type: 'svc', voices: ['AA=='] })).toBe(false);
    expect(create({ ...voice, voices: ['AA=='], titel: 'Dusk' })).toBe(false);
  });

  test('changes a voice with any of the fields, each of which may be null', () => {
    const update = compile('/components/schemas/UpdateModelRequest');
    expect(update({})).toBe(true);
    expect(update({ title: null, description: null, cover_image: null, tags: null, visibility: null })).toBe(
      true,
    );
    expect([update({ tags: 'calm' }), update({ tags: ['calm'] }), update({ tags: [1] })]).toEqual([
      true,
      true,
      false,
    ]);
    expect(update({ visibility: 'unlisted' })).toBe(false);
    expect(update({ state: 'trained' })).toBe(false);
  });

  test('transcribes one file, and knows no other field than the three', () => {
    const transcribe = compile('/components/schemas/TranscriptionRequest');
    expect(transcribe({ audio: 'bytes', language: 'en', ignore_timestamps: false })).toBe(true);
    expect(transcribe({ language: 'en' })).toBe(false);
    expect(transcribe({ audio: 'bytes', model: 'x' })).toBe(false);
  });

  test('leaves answers open, so that a service may add fields', () => {
    const transcription = { text: '', duration: 1, segments: [], new_field: 1 };
    expect(compile('/components/schemas/Transcription')(transcription)).toBe(true);
    expect(compile('/components/schemas/GeneralError')({ status: 400, message: 'No.', code: 7 })).toBe(true);
  });
});
