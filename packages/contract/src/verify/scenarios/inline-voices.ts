import { mediaTypes } from '@speech-api/types';
import type { Scenario } from '../step.ts';
import { greeting, rememberAudio, sentence, speak } from './making.ts';

const needs = ['sample'];

/** Voices that are sent along: what they say is spoken by the server first, so that it is speech. */
export const inlineVoices: readonly Scenario[] = [
  {
    name: 'inline-voices',
    about: 'voices given by samples: one, two in turn, and one as base64 in JSON',
    priority: 41,
    steps: [
      speak(
        'a sample of a voice',
        { text: sentence, format: 'wav', sample_rate: 24_000 },
        { remember: rememberAudio('sample') },
      ),
      speak(
        'with an inline voice',
        (memory) => ({ text: greeting, references: [{ audio: memory.bytes('sample'), text: sentence }] }),
        { mediaType: mediaTypes.msgpack, needs },
      ),
      speak(
        'with two inline voices',
        (memory) => {
          const sample = { audio: memory.bytes('sample'), text: sentence };
          return {
            text: '<|speaker:0|>Good morning.<|speaker:1|>And to you.',
            reference_id: ['first', 'second'],
            references: [[sample], [sample]],
          };
        },
        { operationId: 'streamSpeechWithTimestamps', mediaType: mediaTypes.msgpack, needs },
      ),
      speak(
        'with an inline voice as base64',
        (memory) => ({ text: greeting, references: [{ audio: memory.bytes('sample'), text: sentence }] }),
        { mediaType: mediaTypes.json, needs },
      ),
    ],
  },
];
