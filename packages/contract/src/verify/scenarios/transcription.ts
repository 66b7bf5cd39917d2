import { type AudioFormat, headerNames, limits, mediaTypes, opusBitrates } from '@speech-api/types';
import type { Memory } from '../make-step.ts';
import { toneAsWav } from '../request.ts';
import type { Call, CallStep, Scenario } from '../step.ts';
import {
  inGroups,
  refused,
  rememberAudio,
  sentence,
  speak,
  success,
  validTraceparent,
  wrongIn,
} from './making.ts';

const operationId = 'createTranscription';

/** Just under the second that section 8 asks for. */
const tooShort = 0.99;

/** What the sentence lasts at most, slowly spoken: what a server may bill. */
const sentenceSeconds = 8;

type TranscribeOptions = Partial<Pick<CallStep, 'expectation' | 'groups' | 'needs' | 'needsState'>> & {
  readonly seconds?: number;
};

function transcribe(what: string, call: (memory: Memory) => Call, options: TranscribeOptions = {}): CallStep {
  const { seconds = 0, expectation = success, ...rest } = options;
  return {
    kind: 'call',
    operationId,
    name: `${operationId}, ${what}`,
    expectation,
    ...rest,
    cost: { audioSeconds: Math.ceil(seconds) },
    call,
  };
}

/** A high rate, so that a large file is short and cheap. */
const wideRate = 192_000;
const wavHeaderBytes = 44;

const spoken = { seconds: sentenceSeconds, needs: ['speech'] };
const { transcriptionMinimumSeconds: shortest, transcriptionMaximumSeconds: longest } = limits;

/** The other formats that the interface names for recordings (section 4.3); opus is transcribed in every run. */
const transcribedFormats: readonly (readonly [AudioFormat, text: string])[] = [
  ['mp3', sentence],
  ['wav', 'The ferry leaves at eight, as it has for forty years.'],
];

export const transcription: readonly Scenario[] = [
  {
    name: 'transcription-encodings',
    about: 'speech is turned back into text, as a form and as MessagePack with a traceparent',
    priority: 3,
    steps: [
      speak(
        'a sentence to transcribe',
        {
          text: sentence,
          format: 'opus',
          opus_bitrate: Math.min(...opusBitrates.filter((rate) => rate > 0)),
        },
        { remember: rememberAudio('speech') },
      ),
      transcribe(
        'as a form',
        (memory) => ({ fields: { audio: memory.bytes('speech'), ignore_timestamps: false, language: 'en' } }),
        { ...spoken, groups: inGroups('transcription', 'encodings', ['trace', 'without']) },
      ),
      transcribe(
        'as MessagePack, with a traceparent',
        (memory) => ({
          mediaType: mediaTypes.msgpack,
          headers: { [headerNames.traceparent]: validTraceparent },
          fields: { audio: memory.bytes('speech'), ignore_timestamps: false, language: 'en' },
        }),
        { ...spoken, groups: inGroups('transcription', 'encodings', ['trace', 'with']) },
      ),
    ],
  },
  {
    name: 'transcription-shortest',
    about: 'the shortest audio is accepted, and timestamps are left out unless asked for',
    priority: 34,
    steps: [
      transcribe('the shortest audio', () => ({ fields: { audio: toneAsWav({ seconds: shortest }) } }), {
        seconds: shortest,
      }),
    ],
  },
  {
    name: 'transcription-too-short',
    about: 'audio below the shortest is refused',
    priority: 33,
    steps: [
      transcribe('audio that is too short', () => ({ fields: { audio: toneAsWav({ seconds: tooShort }) } }), {
        seconds: shortest,
        expectation: refused(`the audio lasts ${tooShort} seconds`, 'audio-length'),
      }),
    ],
  },
  {
    name: 'transcription-without-audio',
    about: 'a form without audio is refused',
    priority: 31,
    steps: [
      transcribe('without audio', () => ({ fields: { language: 'en' } }), {
        expectation: wrongIn('audio', 'there is no audio'),
      }),
    ],
  },
  {
    name: 'transcription-of-two-files',
    about: 'two audio files in one request are refused',
    priority: 31.5,
    steps: [
      transcribe(
        'two audio files',
        () => ({ fields: { audio: [toneAsWav({ seconds: shortest }), toneAsWav({ seconds: shortest })] } }),
        { seconds: shortest, expectation: wrongIn('audio', 'there are two audio files') },
      ),
    ],
  },
  {
    name: 'transcription-as-json',
    about: 'JSON is not taken',
    priority: 32,
    steps: [
      transcribe(
        'as JSON',
        () => ({ mediaType: mediaTypes.json, fields: { audio: toneAsWav({ seconds: shortest }) } }),
        { seconds: shortest, expectation: refused('JSON is not one of its media types', 'media-type') },
      ),
    ],
  },
  {
    name: 'transcription-timestamps',
    about: 'timed segments come when they are asked for, and not when they are ignored',
    priority: 40,
    steps: [
      speak(
        'speech with and without timestamps',
        { text: sentence, format: 'wav', sample_rate: 16_000 },
        { remember: rememberAudio('speech') },
      ),
      ...[false, true].map((ignore) =>
        transcribe(
          `ignore_timestamps ${ignore}`,
          (memory) => ({ fields: { audio: memory.bytes('speech'), ignore_timestamps: ignore } }),
          spoken,
        ),
      ),
    ],
  },
  ...transcribedFormats.map(
    ([format, text]): Scenario => ({
      name: `transcription-of-${format}`,
      about: `${format} is transcribed`,
      priority: 53.2,
      steps: [
        speak(`${format} to transcribe`, { text, format }, { remember: rememberAudio('speech') }),
        transcribe(
          `of ${format}`,
          (memory) => ({ fields: { audio: memory.bytes('speech'), ignore_timestamps: false } }),
          { ...spoken, groups: inGroups('recordings', ['recordings', text]) },
        ),
      ],
    }),
  ),
  {
    name: 'transcription-language-number',
    about: 'a language that is not a string is refused',
    priority: 53.1,
    steps: [
      transcribe(
        'a language that is not a string',
        () => ({
          mediaType: mediaTypes.msgpack,
          fields: { audio: toneAsWav({ seconds: shortest }), language: 7 },
        }),
        { seconds: shortest, expectation: wrongIn('language', 'language is a number') },
      ),
    ],
  },
  {
    name: 'transcription-unreadable',
    about: 'bytes that are not audio are refused',
    priority: 53,
    steps: [
      transcribe(
        'bytes that are not audio',
        () => ({ fields: { audio: new TextEncoder().encode('no audio '.repeat(50)) } }),
        {
          expectation: refused('the file is not audio', 'audio-unreadable', 'schema'),
          needsState: true,
        },
      ),
    ],
  },
  {
    name: 'transcription-largest-file',
    about: 'the largest file is accepted, one above the limit in either unit is refused',
    priority: 90,
    steps: [
      transcribe(
        'the largest file',
        () => ({ fields: { audio: toneOfBytes(limits.transcriptionFileBytesSent) } }),
        {
          seconds: secondsOfBytes(limits.transcriptionFileBytesSent),
        },
      ),
      transcribe(
        'a file too large',
        () => ({ fields: { audio: toneOfBytes(limits.transcriptionFileBytesRefusedAbove + 2) } }),
        {
          seconds: secondsOfBytes(limits.transcriptionFileBytesRefusedAbove),
          expectation: refused('the file is over 20 MB in either unit', 'file-too-large', 'body-too-large'),
        },
      ),
    ],
  },
  {
    name: 'transcription-longest',
    about: 'the longest audio is accepted, one second more is refused',
    priority: 95,
    steps: [
      transcribe('the longest audio', () => ({ fields: { audio: slowTone(longest) } }), { seconds: longest }),
      transcribe('audio that is too long', () => ({ fields: { audio: slowTone(longest + 1) } }), {
        seconds: longest + 1,
        expectation: refused(`the audio lasts ${longest + 1} seconds`, 'audio-length'),
      }),
    ],
  },
];

/** At a low rate, so that an hour fits into the file size limit. */
function slowTone(seconds: number): Uint8Array {
  return toneAsWav({ seconds, sampleRate: 2000 });
}

function secondsOfBytes(bytes: number): number {
  return (bytes - wavHeaderBytes) / 2 / wideRate;
}

function toneOfBytes(bytes: number): Uint8Array {
  return toneAsWav({ seconds: secondsOfBytes(bytes), sampleRate: wideRate });
}
