import { describe, expectTypeOf, test } from 'vitest';
import type {
  CreateModelRequest,
  ReferenceAudio,
  SpeechRequest,
  SynthesisModel,
  SynthesisRequest,
  UpdateModelRequest,
} from '../src/index.ts';
import { defaultModel, synthesisDefaults } from '../src/index.ts';

const sample: ReferenceAudio = { audio: new Uint8Array(8), text: 'The lighthouse keeper counted the ships.' };

declare function speak(request: SpeechRequest, options?: { model?: SynthesisModel }): void;

describe('a synthesis request', () => {
  test('needs nothing but its text', () => {
    speak({ text: 'Good morning.' });
    expectTypeOf<{ text: string }>().toExtend<SpeechRequest>();
    // @ts-expect-error There is nothing to speak.
    speak({ format: 'wav' });
  });

  test('may spell out every default', () => {
    speak({ text: 'Good morning.', ...synthesisDefaults });
  });

  test('names one voice or several, with or without samples', () => {
    speak({ text: 'Good morning.', reference_id: 'a', references: [sample] });
    speak({ text: 'Good morning.', reference_id: ['a', 'b'] });
    speak({ text: 'Good morning.', reference_id: ['a', 'b'], references: [[sample], [sample]] });
    // @ts-expect-error A list holds samples or lists of samples.
    speak({ text: 'Good morning.', reference_id: ['a', 'b'], references: [[sample], sample] });
  });

  test('takes readonly lists, and undefined for what is left out', () => {
    const voices = { reference_id: ['a', 'b'], references: [[sample], [sample]] } as const;
    speak({ text: 'Good morning.', ...voices });
    speak({
      text: 'Good morning.',
      reference_id: undefined,
      sample_rate: undefined,
      prosody: { speed: undefined },
    });
  });

  test('can be wrapped', () => {
    const wav = (request: Omit<SpeechRequest, 'format'>) => speak({ ...request, format: 'wav' });
    wav({ text: 'Good morning.', sample_rate: 16000 });
    const quiet = (rate: SpeechRequest['sample_rate']) =>
      speak({ text: 'Good morning.', sample_rate: rate, prosody: { volume: -6 } });
    quiet(8000);
  });

  test('is decoded by a server without undefined and readonly', () => {
    expectTypeOf<SynthesisRequest['format']>().toEqualTypeOf<'wav' | 'pcm' | 'mp3' | 'opus' | undefined>();
    const request: SynthesisRequest = { text: 'Good morning.', reference_id: ['a'] };
    // @ts-expect-error A field that is not there is absent.
    request.temperature = undefined;
    speak(request);
  });

  test('refuses a misspelt field and a value no format has', () => {
    // @ts-expect-error The field is called temperature.
    speak({ text: 'Good morning.', temprature: 0.5 });
    // @ts-expect-error There is no such format.
    speak({ text: 'Good morning.', format: 'flac' });
    // @ts-expect-error No format has this rate.
    speak({ text: 'Good morning.', sample_rate: 22050 });
  });

  test('tells null from absent', () => {
    speak({ text: 'Good morning.', prosody: null, sample_rate: null });
    // @ts-expect-error Only what the interface says may be null is.
    speak({ text: 'Good morning.', format: null });
  });
});

describe('the model', () => {
  test('may be one that is not known yet', () => {
    speak({ text: 'Good morning.' }, { model: 's3-preview' });
    speak({ text: 'Good morning.' }, { model: defaultModel });
  });

  test('keeps the known names beside any string', () => {
    // With a plain string in the union, editors would not suggest the names.
    expectTypeOf<SynthesisModel>().not.toEqualTypeOf<string>();
    expectTypeOf<'s2-pro'>().toExtend<SynthesisModel>();
    // @ts-expect-error A model is a name.
    speak({ text: 'Good morning.' }, { model: 2 });
  });
});

describe('binary fields', () => {
  test('take bytes in any of their shapes, and no base64', () => {
    expectTypeOf<ReferenceAudio['audio']>().toEqualTypeOf<Uint8Array | ArrayBuffer | Blob>();
    expectTypeOf<Uint8Array<ArrayBuffer>>().toExtend<ReferenceAudio['audio']>();
    expectTypeOf<File>().toExtend<ReferenceAudio['audio']>();
    expectTypeOf<string>().not.toExtend<ReferenceAudio['audio']>();
  });
});

describe('voice model requests', () => {
  test('create from one recording or several, and need no default', () => {
    const one: CreateModelRequest = { type: 'tts', title: 'Harbour', train_mode: 'fast', voices: new Blob() };
    const several: CreateModelRequest = { ...one, voices: [new Uint8Array(1), new ArrayBuffer(1)] };
    expectTypeOf(several).toEqualTypeOf<CreateModelRequest>();
    // @ts-expect-error What is sent is held to the known values.
    const guessed: CreateModelRequest = { ...one, visibility: 'friends' };
    expectTypeOf(guessed).toEqualTypeOf<CreateModelRequest>();
  });

  test('update nothing, something, or with null', () => {
    expectTypeOf<Record<never, never>>().toExtend<UpdateModelRequest>();
    expectTypeOf<{ title: null; tags: string[] }>().toExtend<UpdateModelRequest>();
    expectTypeOf<{ tags: string }>().toExtend<UpdateModelRequest>();
  });
});
