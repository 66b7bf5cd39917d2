import type { AudioFormat } from '@speech-api/types';
import type { JsonObject } from '../change/json.ts';
import { fieldsOf, withFields } from '../change/request.ts';
import type { Mutant, Shown } from '../mutant.ts';
import type { CarriedAnswer, CarriedRequest } from '../proxy/carried.ts';
import { audioBreaks, twentieth } from './broken-audio.ts';
import { isSuccess, withHeader } from './interferences.ts';

/** The format a request asks for. */
export function formatOf(request: CarriedRequest): string {
  return String(fieldsOf(request)?.format ?? 'mp3');
}

/** The audio of one answer broken, and the audio of another question. */
export function audio(): Mutant[] {
  return [...brokenClips(), ...otherQuestions()];
}

function brokenClips(): Mutant[] {
  return audioBreaks.map(({ words, format, rules, change }) => ({
    id: `createSpeech: ${format} ${words}`,
    kind: 'audio',
    operation: 'createSpeech',
    topic: words === twentieth ? [`speech-long-${format}`] : 'formats',
    rules,
    interference: {
      answer: (answer, request) =>
        isSuccess(answer) && formatOf(request) === format && answer.body.length > 0
          ? { ...answer, body: change(answer.body) }
          : undefined,
    },
  }));
}

interface OtherQuestion {
  readonly words: string;
  readonly topic: Shown;
  readonly rules: readonly string[];
  /** The fields that are really asked for. */
  readonly ask: (fields: JsonObject, format: string) => JsonObject | undefined;
}

const otherFormat: Readonly<Record<AudioFormat, AudioFormat>> = {
  wav: 'mp3',
  pcm: 'wav',
  mp3: 'opus',
  opus: 'wav',
};

const questions: readonly OtherQuestion[] = [
  ...(Object.entries(otherFormat) as [AudioFormat, AudioFormat][]).map(([asked, given]) => ({
    words: `${given} in place of ${asked}`,
    topic: 'formats' as const,
    rules: ['audio-format', 'audio-decodes'],
    ask: (fields: JsonObject, format: string) =>
      format === asked ? { ...fields, format: given, sample_rate: null } : undefined,
  })),
  {
    words: 'wav where the format is left out',
    topic: ['voice-read-and-used'],
    rules: ['audio-format'],
    ask: (fields) => (fields.format === undefined ? { ...fields, format: 'wav' } : undefined),
  },
  {
    words: 'wav at its default rate, whatever is asked',
    topic: 'rates',
    rules: ['audio-sample-rate'],
    ask: (fields, format) =>
      format === 'wav' && fields.sample_rate ? { ...fields, sample_rate: null } : undefined,
  },
  {
    words: 'wav at 16000 Hz when no rate is asked',
    topic: 'formats',
    rules: ['audio-sample-rate'],
    ask: (fields, format) =>
      format === 'wav' && !fields.sample_rate ? { ...fields, sample_rate: 16_000 } : undefined,
  },
  {
    words: 'mp3 at its default rate, whatever is asked',
    topic: 'rates',
    rules: ['audio-sample-rate'],
    ask: (fields, format) =>
      format === 'mp3' && fields.sample_rate ? { ...fields, sample_rate: null } : undefined,
  },
  {
    words: 'mp3 at 32000 Hz when no rate is asked',
    topic: 'formats',
    rules: ['audio-sample-rate'],
    ask: (fields, format) =>
      format === 'mp3' && !fields.sample_rate ? { ...fields, sample_rate: 32_000 } : undefined,
  },
  {
    words: 'mp3 at 128 kbps, whatever is asked',
    topic: 'bitrates',
    rules: ['mp3-bitrate'],
    ask: (fields) => (fields.mp3_bitrate === undefined ? undefined : { ...fields, mp3_bitrate: 128 }),
  },
  {
    words: 'mp3 at 64 kbps when no bitrate is asked',
    topic: ['voice-read-and-used'],
    rules: ['mp3-bitrate'],
    ask: (fields, format) =>
      format === 'mp3' && fields.mp3_bitrate === undefined ? { ...fields, mp3_bitrate: 64 } : undefined,
  },
  {
    words: 'opus at 64 kbps, whatever is asked',
    topic: 'bitrates',
    rules: ['opus-bitrate'],
    ask: (fields) => (fields.opus_bitrate === undefined ? undefined : { ...fields, opus_bitrate: 64_000 }),
  },
];

function otherQuestions(): Mutant[] {
  return questions.map(({ words, topic, rules, ask }) => ({
    id: `createSpeech: ${words}`,
    kind: 'audio',
    operation: 'createSpeech',
    topic,
    rules,
    interference: {
      request: (request) => withFields(request, (fields) => ask(fields, formatOf(request))),
      // Only the audio is to be wrong: the media type stays the one of the question.
      answer: (answer: CarriedAnswer, request) =>
        isSuccess(answer) ? withHeader(answer, 'content-type', mediaTypes[formatOf(request)]) : undefined,
    },
  }));
}

const mediaTypes: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  pcm: 'audio/pcm',
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
};
