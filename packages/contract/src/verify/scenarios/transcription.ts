import { type AudioFormat, headerNames, limits, mediaTypes, opusBitrates } from '@speech-api/types';
import type { CallStep, Fields, Memory, Scenario } from '../step.ts';
import {
  call,
  inGroups,
  quick,
  refused,
  rememberAudio,
  scenario,
  sentence,
  speak,
  statedFields,
  toneAsWav,
  validTraceparent,
  wrongIn,
} from './making.ts';

/** Just under the second that a recording needs. */
const tooShort = 0.99;

/** Maximum duration of the sentence, spoken slowly: the seconds that a server may bill. */
const sentenceSeconds = 8;

interface TranscribeOptions
  extends Partial<Pick<CallStep, 'expectation' | 'groups' | 'needs' | 'needsState'>> {
  readonly seconds?: number;
  readonly mediaType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A transcription with these fields, which are made when sent: a recording may have 20 MB. */
function transcribe(
  what: string,
  fields: (memory: Memory) => Fields,
  { seconds = 0, mediaType, headers, ...options }: TranscribeOptions = {},
): CallStep {
  const made = { ...(mediaType !== undefined && { mediaType }), ...(headers !== undefined && { headers }) };
  return call('createTranscription', what, (memory) => ({ ...made, fields: fields(memory) }), {
    ...options,
    cost: { audioSeconds: Math.ceil(seconds) },
  });
}

/** A high rate, which makes a large file short and cheap. */
const wideRate = 192_000;
const wavHeaderBytes = 44;

const spoken = { seconds: sentenceSeconds, needs: ['speech'] };
const withTimes = (memory: Memory) => ({ audio: memory.bytes('speech'), ignore_timestamps: false });
const withAll = (memory: Memory) => ({
  ...statedFields('createTranscription'),
  ...withTimes(memory),
  language: 'en',
});
/** Transcriptions of a text that the service has spoken. */
const ofText = (text: string) => inGroups('recordings', ['recordings', text]);
const shortAudio = () => toneAsWav({ seconds: shortest });
const { transcriptionMinimumSeconds: shortest, transcriptionMaximumSeconds: longest } = limits;

/** The other formats that the interface names for recordings; opus is transcribed in every run. */
const transcribedFormats: readonly (readonly [AudioFormat, text: string])[] = [
  ['mp3', sentence],
  ['wav', 'The ferry leaves at eight, as it has for forty years.'],
];

export const transcription: readonly Scenario[] = [
  quick(
    'transcription-encodings',
    'speech is turned back into text, as a form and as MessagePack with a traceparent',
    [
      speak(
        'a sentence to transcribe',
        {
          text: sentence,
          format: 'opus',
          opus_bitrate: Math.min(...opusBitrates.filter((rate) => rate > 0)),
        },
        rememberAudio('speech'),
      ),
      transcribe('as a form', withAll, {
        ...spoken,
        groups: [...inGroups('transcription', 'encodings', ['trace', 'without']), ...ofText(sentence)],
      }),
      transcribe('as MessagePack, with a traceparent', withAll, {
        ...spoken,
        mediaType: mediaTypes.msgpack,
        headers: { [headerNames.traceparent]: validTraceparent },
        groups: [...inGroups('transcription', 'encodings', ['trace', 'with']), ...ofText(sentence)],
      }),
    ],
  ),
  scenario(
    'transcription-shortest',
    'the shortest audio is accepted, and timestamps are left out unless asked for',
    [transcribe('the shortest audio', () => ({ audio: shortAudio() }), { seconds: shortest })],
  ),
  quick('transcription-too-short', 'audio below the shortest is refused', [
    transcribe('audio that is too short', () => ({ audio: toneAsWav({ seconds: tooShort }) }), {
      seconds: shortest,
      expectation: refused(`the audio lasts ${tooShort} seconds`, 'audio-length'),
    }),
  ]),
  quick('transcription-without-audio', 'a form without audio is refused', [
    transcribe('without audio', () => ({ language: 'en' }), {
      expectation: wrongIn('audio', 'there is no audio'),
    }),
  ]),
  quick('transcription-of-two-files', 'two audio files in one request are refused', [
    transcribe('two audio files', () => ({ audio: [shortAudio(), shortAudio()] }), {
      seconds: shortest,
      expectation: wrongIn('audio', 'there are two audio files'),
    }),
  ]),
  quick('transcription-as-json', 'JSON is not taken', [
    transcribe('as JSON', () => ({ audio: shortAudio() }), {
      seconds: shortest,
      mediaType: mediaTypes.json,
      expectation: refused('JSON is not one of its media types', 'media-type'),
    }),
  ]),
  scenario(
    'transcription-timestamps',
    'timed segments come when they are asked for, and not when they are ignored',
    [
      speak(
        'speech with and without timestamps',
        { text: sentence, format: 'wav', sample_rate: 16_000 },
        rememberAudio('speech'),
      ),
      ...[false, true].map((ignore_timestamps) =>
        transcribe(
          `ignore_timestamps ${ignore_timestamps}`,
          (memory) => ({ ...withTimes(memory), ignore_timestamps }),
          { ...spoken, groups: ofText(sentence) },
        ),
      ),
    ],
  ),
  ...transcribedFormats.map(([format, text]) =>
    scenario(`transcription-of-${format}`, `${format} is transcribed`, [
      speak(`${format} to transcribe`, { text, format }, rememberAudio('speech')),
      transcribe(`of ${format}`, withTimes, {
        ...spoken,
        groups: ofText(text),
      }),
    ]),
  ),
  scenario('transcription-language-number', 'a language that is not a string is refused', [
    transcribe('a language that is not a string', () => ({ audio: shortAudio(), language: 7 }), {
      seconds: shortest,
      mediaType: mediaTypes.msgpack,
      expectation: wrongIn('language', 'language is a number'),
    }),
  ]),
  scenario('transcription-unreadable', 'bytes that are not audio are refused', [
    transcribe('bytes that are not audio', () => ({ audio: Buffer.from('no audio '.repeat(50)) }), {
      expectation: refused('the file is not audio', 'audio-unreadable', 'schema'),
      needsState: true,
    }),
  ]),
  scenario(
    'transcription-largest-file',
    'the largest file is accepted, one above the limit in either unit is refused',
    [
      transcribe('the largest file', () => ({ audio: toneOfBytes(limits.transcriptionFileBytesSent) }), {
        seconds: secondsOfBytes(limits.transcriptionFileBytesSent),
      }),
      transcribe(
        'a file too large',
        () => ({ audio: toneOfBytes(limits.transcriptionFileBytesRefusedAbove + 2) }),
        {
          seconds: secondsOfBytes(limits.transcriptionFileBytesRefusedAbove),
          expectation: refused('the file is over 20 MB in either unit', 'file-too-large', 'body-too-large'),
        },
      ),
    ],
  ),
  scenario('transcription-longest', 'the longest audio is accepted, one second more is refused', [
    transcribe('the longest audio', () => ({ audio: slowTone(longest) }), { seconds: longest }),
    transcribe('audio that is too long', () => ({ audio: slowTone(longest + 1) }), {
      seconds: longest + 1,
      expectation: refused(`the audio lasts ${longest + 1} seconds`, 'audio-length'),
    }),
  ]),
];

/** A low rate, by which an hour fits into the size limit. */
function slowTone(seconds: number): Uint8Array {
  return toneAsWav({ seconds, sampleRate: 2000 });
}

function secondsOfBytes(bytes: number): number {
  return (bytes - wavHeaderBytes) / 2 / wideRate;
}

function toneOfBytes(bytes: number): Uint8Array {
  return toneAsWav({ seconds: secondsOfBytes(bytes), sampleRate: wideRate });
}
