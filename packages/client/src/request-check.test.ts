import type { ReferenceAudio, SynthesisRequest } from '@speech-api/types';
import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  type DialogueRequest,
  isDialogue,
  type OneVoiceRequest,
  type SampledDialogueRequest,
  type SpeechRequest,
} from './request-check.ts';

const sample: ReferenceAudio = { audio: new Uint8Array(8), text: 'Good morning.' };

describe('isDialogue', () => {
  test.each<[string, SpeechRequest, boolean]>([
    ['text alone', { text: 'a' }, false],
    ['one saved voice', { text: 'a', reference_id: 'anna' }, false],
    ['samples of one voice', { text: 'a', references: [sample] }, false],
    ['several saved voices', { text: 'a', reference_id: ['anna', 'ben'] }, true],
    ['samples of several voices', { text: 'a', reference_id: ['a'], references: [[sample]] }, true],
  ])('knows %s', (_words, request, expected) => {
    expect(isDialogue(request)).toBe(expected);
  });

  test('narrows both branches of a request', () => {
    const narrow = (request: SpeechRequest) => {
      if (!isDialogue(request)) return expectTypeOf(request).toEqualTypeOf<OneVoiceRequest>();
      expectTypeOf(request).toEqualTypeOf<DialogueRequest | SampledDialogueRequest>();
      return request.references === undefined
        ? expectTypeOf(request).toEqualTypeOf<DialogueRequest>()
        : expectTypeOf(request).toEqualTypeOf<SampledDialogueRequest>();
    };
    expect(narrow).toBeTypeOf('function');
  });

  test('narrows both branches of the generated type', () => {
    const narrow = (request: SynthesisRequest) => {
      if (isDialogue(request)) expectTypeOf(request.reference_id).toEqualTypeOf<string[]>();
      else expectTypeOf(request.references).toEqualTypeOf<ReferenceAudio[] | undefined>();
    };
    expect(narrow).toBeTypeOf('function');
  });
});
