import { type AudioFormat, headerNames, limits, mediaTypes, opusBitrates } from '@speech-api/types';
import type { Memory } from '../make-step.ts';
import { toneAsWav } from '../request.ts';
import type { Call, CallStep, Scenario } from '../step.ts';
import {
  inGroups,
  refused,
  rememberAudio,
  scenario,
  sentence,
  speak,
  success,
  validTraceparent,
  wrongIn,
} from './making.ts';

const operationId = 'createTranscription';

/** Just under the second that section 8 asks for. */
const tooShort = 0.99;

/** Maximum duration of the sentence, spoken slowly: the seconds that a server may bill. */
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
  scenario(
    'transcription-encodings',
    3,
    'speech is turned back into text, as a form and as MessagePack with a traceparent',
    [
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
  ),
  scenario(
    'transcription-shortest',
    34,
    'the shortest audio is accepted, and timestamps are left out unless asked for',
    [
      transcribe('the shortest audio', () => ({ fields: { audio: toneAsWav({ seconds: shortest }) } }), {
        seconds: shortest,
      }),
    ],
  ),
  scenario('transcription-too-short', 33, 'audio below the shortest is refused', [
    transcribe('audio that is too short', () => ({ fields: { audio: toneAsWav({ seconds: tooShort }) } }), {
      seconds: shortest,
      expectation: refused(`the audio lasts ${tooShort} seconds`, 'audio-length'),
    }),
  ]),
  scenario('transcription-without-audio', 31, 'a form without audio is refused', [
    transcribe('without audio', () => ({ fields: { language: 'en' } }), {
      expectation: wrongIn('audio', 'there is no audio'),
    }),
  ]),
  scenario('transcription-of-two-files', 31.5, 'two audio files in one request are refused', [
    transcribe(
      'two audio files',
      () => ({ fields: { audio: [toneAsWav({ seconds: shortest }), toneAsWav({ seconds: shortest })] } }),
      { seconds: shortest, expectation: wrongIn('audio', 'there are two audio files') },
    ),
  ]),
  scenario('transcription-as-json', 32, 'JSON is not taken', [
    transcribe(
      'as JSON',
      () => ({ mediaType: mediaTypes.json, fields: { audio: toneAsWav({ seconds: shortest }) } }),
      { seconds: shortest, expectation: refused('JSON is not one of its media types', 'media-type') },
    ),
  ]),
  scenario(
    'transcription-timestamps',
    40,
    'timed segments come when they are asked for, and not when they are ignored',
    [
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
  ),
  ...transcribedFormats.map(
    ([format, text]): Scenario =>
      scenario(`transcription-of-${format}`, 53.2, `${format} is transcribed`, [
        speak(`${format} to transcribe`, { text, format }, { remember: rememberAudio('speech') }),
        transcribe(
          `of ${format}`,
          (memory) => ({ fields: { audio: memory.bytes('speech'), ignore_timestamps: false } }),
          { ...spoken, groups: inGroups('recordings', ['recordings', text]) },
        ),
      ]),
  ),
  scenario('transcription-language-number', 53.1, 'a language that is not a string is refused', [
    transcribe(
      'a language that is not a string',
      () => ({
        mediaType: mediaTypes.msgpack,
        fields: { audio: toneAsWav({ seconds: shortest }), language: 7 },
      }),
      { seconds: shortest, expectation: wrongIn('language', 'language is a number') },
    ),
  ]),
  scenario('transcription-unreadable', 53, 'bytes that are not audio are refused', [
    transcribe(
      'bytes that are not audio',
      () => ({ fields: { audio: new TextEncoder().encode('no audio '.repeat(50)) } }),
      {
        expectation: refused('the file is not audio', 'audio-unreadable', 'schema'),
        needsState: true,
      },
    ),
  ]),
  scenario(
    'transcription-largest-file',
    90,
    'the largest file is accepted, one above the limit in either unit is refused',
    [
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
  ),
  scenario('transcription-longest', 95, 'the longest audio is accepted, one second more is refused', [
    transcribe('the longest audio', () => ({ fields: { audio: slowTone(longest) } }), { seconds: longest }),
    transcribe('audio that is too long', () => ({ fields: { audio: slowTone(longest + 1) } }), {
      seconds: longest + 1,
      expectation: refused(`the audio lasts ${longest + 1} seconds`, 'audio-length'),
    }),
  ]),
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
