import { describe, expectTypeOf, test } from 'vitest';
import type {
  audioFormats,
  audioMediaTypes,
  BinaryOutput,
  GeneralError,
  LiveClientMessage,
  LiveFinishMessage,
  LiveServerMessage,
  liveClientFields,
  ModelValidationError,
  OperationId,
  operations,
  operationTable,
  paths,
  SpeechRequest,
  SpeechStreamEvent,
  sampleRates,
  Transcription,
  ValidationError,
  VoiceModel,
  VoiceModelState,
} from '../src/index.ts';

type Answer<
  Id extends OperationId,
  Status extends keyof operations[Id]['responses'],
> = operations[Id]['responses'][Status] extends { content: infer Content } ? Content : never;

describe('what a service answers', () => {
  test('may hold fields that are not known yet', () => {
    const answer = {
      text: 'Good morning.',
      duration: 1.2,
      segments: [],
      language_code: 'en',
      language: 'English',
      speaker_turns: [{ speaker: 'speaker:0', text: 'Good morning.', start: 0, end: 1.2 }],
      request_id: 'a-request',
      mood: 'cheerful',
    };
    const transcription: Transcription = answer;
    expectTypeOf(transcription.text).toBeString();
  });

  test('may hold a value that is not known yet', () => {
    expectTypeOf<'archived'>().toExtend<VoiceModel['state']>();
    expectTypeOf<'archived'>().not.toExtend<VoiceModelState>();
    expectTypeOf<VoiceModel['state']>().not.toEqualTypeOf<string>();
  });

  test('leaves out what has a default', () => {
    expectTypeOf<VoiceModel['train_mode']>().extract<undefined>().toBeUndefined();
    expectTypeOf<VoiceModel['title']>().toBeString();
  });

  test('has null where the interface says so', () => {
    expectTypeOf<SpeechStreamEvent['alignment']>().extract<null>().toBeNull();
    expectTypeOf<SpeechStreamEvent['audio_base64']>().toBeString();
  });

  test('knows the part of the request a model endpoint complains about', () => {
    expectTypeOf<ModelValidationError[number]['in']>().toBeString();
    expectTypeOf<ModelValidationError>().toExtend<ValidationError>();
  });
});

describe('operations', () => {
  test('type the audio of every format', () => {
    type Audio = Answer<'createSpeech', 200>;
    expectTypeOf<
      Audio[(typeof audioMediaTypes)[keyof typeof audioMediaTypes]]
    >().toEqualTypeOf<BinaryOutput>();
    expectTypeOf<keyof Audio>().toEqualTypeOf<(typeof audioMediaTypes)[(typeof audioFormats)[number]]>();
  });

  test('type the payload of the event stream', () => {
    type Stream = Answer<'streamSpeechWithTimestamps', 200>;
    expectTypeOf<Stream['text/event-stream']>().toEqualTypeOf<SpeechStreamEvent>();
  });

  test('type both error bodies', () => {
    expectTypeOf<Answer<'createSpeech', 401>['application/json']>().toEqualTypeOf<GeneralError>();
    expectTypeOf<Answer<'createSpeech', 422>['application/json']>().toEqualTypeOf<ValidationError>();
  });

  test('have headers that a server may leave out', () => {
    type Headers = operations['createSpeech']['responses'][200]['headers'];
    expectTypeOf<Headers['x-trace-id']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Headers['ratelimit-limit-concurrency']>().toEqualTypeOf<number | undefined>();
    type Limited = operations['createSpeech']['responses'][429]['headers'];
    expectTypeOf<Limited['retry-after']>().toEqualTypeOf<number | undefined>();
  });

  test('are in the table under the paths of the document', () => {
    expectTypeOf<keyof typeof operationTable>().toEqualTypeOf<OperationId>();
    expectTypeOf<(typeof operationTable)[OperationId]['path']>().toEqualTypeOf<keyof paths>();
  });
});

describe('live messages', () => {
  test('are told apart by their event', () => {
    expectTypeOf<LiveClientMessage['event']>().toEqualTypeOf<keyof typeof liveClientFields>();
    expectTypeOf<LiveServerMessage['event']>().toEqualTypeOf<'audio' | 'finish' | 'error'>();
    expectTypeOf<Extract<LiveServerMessage, { event: 'audio' }>['audio']>().toEqualTypeOf<Uint8Array>();
    expectTypeOf<Extract<LiveClientMessage, { event: 'start' }>['request']>().toEqualTypeOf<SpeechRequest>();
  });

  test('end for a reason that may not be known yet', () => {
    expectTypeOf<'timeout'>().toExtend<LiveFinishMessage['reason']>();
    expectTypeOf<LiveFinishMessage['reason']>().not.toEqualTypeOf<string>();
  });
});

describe('constants', () => {
  test('keep their values in their types', () => {
    expectTypeOf<(typeof sampleRates)['opus'][number]>().toEqualTypeOf<48000>();
  });
});
