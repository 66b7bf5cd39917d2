import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../read.ts';
import { isObject } from '../read.ts';
import { read } from '../rules/testing/data.ts';
import { find, follow, readDocument } from './documents.ts';

// The tables of the interface, written a second time on purpose: the specification is edited by hand, and a wrong default or
// range would otherwise spread unnoticed.

const document = readDocument('openapi.json');
const register = read<JsonObject[]>('unknowns.yaml');
const additions = new Set(register.filter(({ kind }) => kind === 'addition').map(({ id }) => id));

const secondCopy =
  'The fields differ from their second copy. If the change is meant, add or change the line of the field here.';

const keywords = ['type', 'enum', 'default', 'minimum', 'maximum', 'format'] as const;

describe('the fields of the interface', () => {
  test('are those of section 2.1, with their defaults and ranges', () => {
    expect(fieldsOf('SynthesisSettings'), secondCopy).toEqual({
      'text*': { type: 'string' },
      temperature: { type: 'number', default: 0.7, minimum: 0, maximum: 1 },
      top_p: { type: 'number', default: 0.7, minimum: 0, maximum: 1 },
      prosody: {},
      chunk_length: { type: 'integer', default: 300, minimum: 100, maximum: 300 },
      normalize: { type: 'boolean', default: true },
      format: { type: 'string', enum: ['wav', 'pcm', 'mp3', 'opus'], default: 'mp3' },
      sample_rate: {
        type: ['integer', 'null'],
        enum: [8000, 16000, 24000, 32000, 44100, 48000, null],
        default: null,
      },
      mp3_bitrate: { type: 'integer', enum: [64, 128, 192], default: 128 },
      opus_bitrate: { type: 'integer', enum: [-1000, 24000, 32000, 48000, 64000], default: -1000 },
      latency: { type: 'string', enum: ['low', 'normal', 'balanced'], default: 'normal' },
      max_new_tokens: { type: 'integer', default: 1024 },
      repetition_penalty: { type: 'number', default: 1.2 },
      min_chunk_length: { type: 'integer', default: 50, minimum: 0, maximum: 100 },
      condition_on_previous_chunks: { type: 'boolean', default: true },
      early_stop_threshold: { type: 'number', default: 1, minimum: 0, maximum: 1 },
    });
    expect(at('/components/schemas/SynthesisSettings/properties/prosody').anyOf).toEqual([
      { $ref: '#/components/schemas/Prosody' },
      { type: 'null' },
    ]);
  });

  test('are those of section 2.2', () => {
    expect(fieldsOf('Prosody'), secondCopy).toEqual({
      speed: { type: 'number', default: 1, minimum: 0.5, maximum: 2 },
      volume: { type: 'number', default: 0 },
      normalize_loudness: { type: 'boolean', default: true },
    });
  });

  test('have the formats of section 2.3', () => {
    const uncompressed = {
      sampleRates: [8000, 16000, 24000, 32000, 44100],
      defaultSampleRate: 44100,
      channels: 1,
    };
    expect(at('/components/schemas/AudioFormat')['x-audio-formats']).toMatchObject({
      wav: { ...uncompressed, bitsPerSample: 16, mediaType: 'audio/wav' },
      pcm: { ...uncompressed, bitsPerSample: 16, mediaType: 'audio/pcm' },
      mp3: { sampleRates: [32000, 44100], defaultSampleRate: 44100, channels: 1, mediaType: 'audio/mpeg' },
      opus: { sampleRates: [48000], defaultSampleRate: 48000, channels: 1, mediaType: 'audio/ogg' },
    });
  });

  test('are those of section 2.4', () => {
    expect(fieldsOf('SpeechStreamEvent'), secondCopy).toEqual({
      'audio_base64*': { type: 'string' },
      'content*': { type: 'string' },
      'alignment*': {},
      'chunk_seq*': { type: 'integer' },
      'chunk_audio_offset_sec*': { type: 'number' },
    });
    expect(fieldsOf('Alignment'), secondCopy).toEqual({
      'audio_duration*': { type: 'number' },
      'segments*': { type: 'array' },
    });
    expect(fieldsOf('AlignmentSegment'), secondCopy).toEqual({
      'text*': { type: 'string' },
      'start*': { type: 'number' },
      'end*': { type: 'number' },
    });
  });

  test('are those of section 2.5', () => {
    expect(Object.keys(fieldsOf('TranscriptionRequest')), secondCopy).toEqual([
      'audio*',
      'language',
      'ignore_timestamps',
    ]);
    expect(fieldsOf('Transcription'), secondCopy).toMatchObject({
      'text*': { type: 'string' },
      'duration*': { type: 'number' },
      'segments*': { type: 'array' },
    });
  });

  test('are those of section 2.6', () => {
    const text = { type: 'string', default: '' };
    const no = { type: 'boolean', default: false };
    expect(fieldsOf('VoiceModel'), secondCopy).toEqual({
      '_id*': { type: 'string' },
      'type*': { type: 'string', enum: ['svc', 'tts'] },
      'title*': { type: 'string' },
      'state*': { type: 'string', enum: ['created', 'training', 'trained', 'failed'] },
      'tags*': { type: 'array' },
      'created_at*': { type: 'string', format: 'date-time' },
      'updated_at*': { type: 'string', format: 'date-time' },
      'visibility*': { type: 'string', enum: ['public', 'unlist', 'private'] },
      'like_count*': { type: 'integer' },
      'mark_count*': { type: 'integer' },
      'shared_count*': { type: 'integer' },
      'task_count*': { type: 'integer' },
      'author*': { type: 'object' },
      description: text,
      cover_image: text,
      train_mode: { default: 'full' },
      samples: { type: 'array', default: [] },
      languages: { type: 'array', default: [] },
      lock_visibility: no,
      dmca_taken_down: { type: ['boolean', 'null'], default: false },
      default_text: text,
      source: { type: ['string', 'null'] },
      quality: {},
      unliked: no,
      liked: no,
      marked: no,
    });
    expect(fieldsOf('VoiceModelQualityAudio'), secondCopy).toEqual({
      filename: { type: 'string' },
      duration_ms: { type: 'integer' },
      language: { type: 'string', default: 'unknown' },
      quality: { type: 'object' },
      quality_passed: no,
      quality_reason: text,
    });
    expect(Object.keys(fieldsOf('VoiceModelAuthor')), secondCopy).toEqual(['_id*', 'nickname*', 'avatar*']);
    expect(Object.keys(fieldsOf('VoiceModelQuality')), secondCopy).toEqual([
      'created_at',
      'updated_at',
      'audios',
    ]);
    expect(Object.keys(fieldsOf('VoiceModelList')), secondCopy).toEqual(['total*', 'items*', 'has_more*']);
    expect(at('/components/schemas/TrainMode').enum).toEqual(['fast', 'full']);
  });

  test('are those of section 2.7', () => {
    const time = { type: 'string', format: 'date-time' };
    const timeOrNull = { type: ['string', 'null'], format: 'date-time' };
    const textOrNull = { type: ['string', 'null'] };
    expect(fieldsOf('ApiCredit'), secondCopy).toEqual({
      '_id*': { type: 'string' },
      'user_id*': { type: 'string' },
      'credit*': { type: 'string' },
      'created_at*': time,
      'updated_at*': time,
      'has_phone_sha256*': { type: 'boolean' },
      'has_free_credit*': { type: 'boolean' },
    });
    expect(fieldsOf('Package'), secondCopy).toEqual({
      'user_id*': { type: 'string' },
      'type*': { type: 'string' },
      'total*': { type: 'integer' },
      'balance*': { type: 'integer' },
      'created_at*': time,
      'updated_at*': time,
      'finished_at*': time,
      payment_subscription_id: textOrNull,
      payment_price_id: textOrNull,
      billing_period: textOrNull,
      current_period_end: timeOrNull,
      cancel_at_period_end: { type: ['boolean', 'null'] },
      cancel_at: timeOrNull,
      scheduled_change: { type: ['object', 'null'] },
      last_synced_at: timeOrNull,
      extra_balance: { type: ['integer', 'null'], default: 0 },
      has_used_trial: { type: 'boolean', default: false },
    });
  });

  test('are those of the error bodies of section 7', () => {
    expect(fieldsOf('GeneralError'), secondCopy).toMatchObject({
      'status*': { type: 'integer' },
      'message*': { type: 'string' },
    });
    expect(fieldsOf('ValidationIssue'), secondCopy).toEqual({
      'loc*': { type: 'array' },
      'type*': { type: 'string' },
      'msg*': { type: 'string' },
      'ctx*': { type: 'string' },
      in: { type: 'string' },
    });
  });
});

test('what the service has added since autumn 2026 is marked, and required of nobody', () => {
  const additionsOf = (name: string) => {
    const { properties, required } = at(`/components/schemas/${name}`);
    const names = Object.entries(object(properties)).flatMap(([field, value]) =>
      isAddition(value) ? [field] : [],
    );
    expect(names.filter((field) => Array.isArray(required) && required.includes(field))).toEqual([]);
    return names;
  };
  expect(additionsOf('TranscriptionRequest'), secondCopy).toEqual([
    'tag_audio_events',
    'diarize',
    'num_speakers',
    'min_speakers',
    'max_speakers',
  ]);
  expect(additionsOf('Transcription'), secondCopy).toEqual([
    'language_code',
    'language',
    'speaker_turns',
    'request_id',
  ]);
  expect(additionsOf('GeneralError'), secondCopy).toEqual(['reason', 'code']);
  expect(additionsOf('ApiCredit'), secondCopy).toEqual(['cumulative_top_up']);
  expect(additionsOf('VoiceModelList'), secondCopy).toEqual([
    'max_offset',
    'accessible_upper_bound',
    'window_limited',
    'total_is_exact',
  ]);
  expect(at('/components/parameters/TranscriptionModelHeader')).toMatchObject({
    name: 'model',
    required: false,
  });
  expect(at('/components/parameters/LicensedFilter')).toMatchObject({ name: 'licensed', required: false });
});

describe('the operations of section 4', () => {
  const operations = {
    createSpeech: ['POST', '/v1/tts', ['application/json', 'application/msgpack'], 'model*, traceparent'],
    streamSpeechWithTimestamps: [
      'POST',
      '/v1/tts/stream/with-timestamp',
      ['application/json', 'application/msgpack'],
      'model*, traceparent',
    ],
    openLiveSession: ['GET', '/v1/tts/live', [], 'model*, traceparent'],
    createTranscription: ['POST', '/v1/asr', ['multipart/form-data', 'application/msgpack'], 'traceparent'],
    listModels: ['GET', '/model', [], ''],
    createModel: ['POST', '/model', ['multipart/form-data', 'application/msgpack', 'application/json'], ''],
    getModel: ['GET', '/model/{id}', [], ''],
    updateModel: [
      'PATCH',
      '/model/{id}',
      ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/msgpack'],
      '',
    ],
    deleteModel: ['DELETE', '/model/{id}', [], ''],
    getApiCredit: ['GET', '/wallet/{user_id}/api-credit', [], ''],
    getPackage: ['GET', '/wallet/{user_id}/package', [], ''],
  };

  test('are these, with these media types and these headers of the interface', () => {
    const described = Object.entries(at('/paths')).flatMap(([path, item]) =>
      Object.entries(object(item))
        .filter(([name]) => !['servers', 'parameters'].includes(name))
        .map(([method, operation]) => {
          const { operationId, parameters, requestBody } = object(operation);
          const body = requestBody === undefined ? {} : object(object(follow(document, requestBody)).content);
          return [operationId, [method.toUpperCase(), path, Object.keys(body), headersOf(parameters)]];
        }),
    );
    // More operations than these are an addition, which `npm run diff` reports.
    expect(Object.fromEntries(described)).toMatchObject(operations);
  });

  test('all need the key, say which section they are of, and take part of their errors from the same files', () => {
    for (const item of Object.values(at('/paths'))) {
      for (const operation of Object.values(object(item)).filter(isObject)) {
        if (operation.operationId === undefined) continue;
        expect(operation).toMatchObject({
          security: [{ ApiKey: [] }],
          'x-section': expect.stringMatching(/^4\.[1-6]$/),
          responses: { '401': { $ref: '#/components/responses/Unauthorized' } },
        });
      }
    }
  });

  test('know that transcription is in beta and that the live session is on another server', () => {
    expect(at('/paths/~1v1~1asr/post')).toMatchObject({
      'x-beta': true,
      description: expect.stringContaining('beta'),
    });
    expect(at('/paths/~1v1~1tts~1live')).toMatchObject({ servers: [{ url: '{ws_base_url}' }] });
    expect(at('')).toMatchObject({ info: { version: '1' }, servers: [{ url: '{base_url}' }] });
  });

  test('offer the models that the interface names, and let others through', () => {
    const named = (name: string) => at(`/components/schemas/${name}`);
    expect(named('SynthesisModel')).toMatchObject({
      default: 's2-pro',
      anyOf: [{ enum: ['s1', 's2-pro', 's2.1-pro', 's2.1-pro-free'] }, { type: 'string' }],
    });
    expect(named('StreamSynthesisModel')).toMatchObject({
      default: 's2-pro',
      anyOf: [{ enum: ['s1', 's2-pro'] }, { type: 'string' }],
    });
  });

  test('have the limits of section 8 and those of the servers', () => {
    expect(at('/components/schemas/TranscriptionRequest/properties/audio')['x-limits']).toMatchObject({
      files: { maximum: 1 },
      seconds: { minimum: 1, maximum: 3600 },
      bytes: { maximum: 20_000_000, refusedAbove: 20 * 1024 * 1024 },
    });
    expect(at('/components/schemas/SynthesisSettings/properties/text')['x-limits']).toMatchObject({
      codePoints: { maximum: 100_000 },
    });
    for (const body of Object.values(at('/components/requestBodies'))) {
      expect(body).toMatchObject({ 'x-limits': { bytes: { maximum: 64 * 1024 * 1024 } } });
    }
    for (const parameter of ['PageSize', 'PageNumber']) {
      expect(at(`/components/parameters/${parameter}/schema`)).toMatchObject({ type: 'integer', minimum: 1 });
    }
  });
});

/**
 * The fields of a schema by their name, with a star when required, and the keywords that the tables have.
 * Later additions of the service are marked as a whole and omitted here.
 */
function fieldsOf(name: string): JsonObject {
  const schema = at(`/components/schemas/${name}`);
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.fromEntries(
    Object.entries(object(schema.properties))
      .filter(([, property]) => !isAddition(property))
      .map(([field, property]) => [
        required.includes(field) ? `${field}*` : field,
        Object.fromEntries(
          Object.entries(object(follow(document, property))).filter(([keyword]) =>
            keywords.some((candidate) => candidate === keyword),
          ),
        ),
      ]),
  );
}

/** True for a field or header that is outside the interface: its mark covers all of it and names an addition. */
function isAddition(value: Json | undefined): boolean {
  const mark = isObject(value) ? value['x-provenance'] : undefined;
  return isObject(mark) && mark.from === 'public' && mark.of === undefined && additions.has(mark.unknown);
}

/** The headers of an operation, with a star if required; without WebSocket headers and later additions. */
function headersOf(parameters: Json | undefined): string {
  return (Array.isArray(parameters) ? parameters : [])
    .map((parameter) => object(follow(document, parameter)))
    .filter((parameter) => parameter.in === 'header' && /^[a-z]/.test(String(parameter.name)))
    .filter((parameter) => !isAddition(parameter))
    .map((parameter) => `${parameter.name}${parameter.required === true ? '*' : ''}`)
    .join(', ');
}

function at(pointer: string): JsonObject {
  return object(find(document, pointer));
}

function object(value: Json | undefined): JsonObject {
  if (!isObject(value)) throw new TypeError('Not an object.');
  return value;
}
