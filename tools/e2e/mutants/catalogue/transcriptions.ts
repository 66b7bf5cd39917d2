import { isObject, type JsonObject, withField, withJson } from '../change/json.ts';
import type { Mutant, Shown } from '../mutant.ts';
import type { CarriedAnswer, CarriedRequest } from '../proxy/carried.ts';
import { onSuccess } from './interferences.ts';

interface Segment extends JsonObject {
  text: string;
  start: number;
  end: number;
}

const segments =
  (change: (segments: Segment[], duration: number) => readonly unknown[]) =>
  (answer: CarriedAnswer): CarriedAnswer | undefined =>
    withJson(answer, (body) =>
      isObject(body) && Array.isArray(body.segments)
        ? { ...body, segments: change(body.segments, Number(body.duration)) }
        : body,
    );

const duration = (change: (seconds: number) => number) => (answer: CarriedAnswer) =>
  withField(answer, 'duration', (seconds) => change(Number(seconds)));

interface TranscriptionBreak {
  readonly words: string;
  readonly shown?: Shown;
  readonly rules: readonly string[];
  readonly change: (answer: CarriedAnswer, request: CarriedRequest) => CarriedAnswer | undefined;
}

const breaks: readonly TranscriptionBreak[] = [
  {
    words: 'duration is in milliseconds',
    rules: ['transcription-duration-unit'],
    change: duration((s) => s * 1000),
  },
  {
    words: 'duration is in minutes',
    rules: ['transcription-duration-unit'],
    change: duration((s) => s / 60),
  },
  {
    words: 'duration is zero',
    rules: ['transcription-duration-unit', 'transcription-duration'],
    change: duration(() => 0),
  },
  {
    words: 'duration is a second too long',
    rules: ['transcription-duration'],
    change: duration((s) => s + 1),
  },
  {
    words: 'duration is cut to whole seconds',
    rules: ['transcription-duration'],
    change: duration(Math.floor),
  },
  {
    words: 'duration is negative',
    rules: ['transcription-duration', 'model-counts', 'transcription-duration-unit'],
    change: duration((s) => -s),
  },
  {
    words: 'a segment ends after the audio',
    rules: ['transcription-segments-inside'],
    change: segments((all, seconds) =>
      all.map((segment, index) => (index === all.length - 1 ? { ...segment, end: seconds + 1 } : segment)),
    ),
  },
  {
    words: 'segment times are in milliseconds',
    rules: ['transcription-segments-inside'],
    change: segments((all) => all.map((one) => ({ ...one, start: one.start * 1000, end: one.end * 1000 }))),
  },
  {
    words: 'segments end before they start',
    rules: ['transcription-segments-in-order'],
    change: segments((all) => all.map((one) => ({ ...one, start: one.end, end: one.start }))),
  },
  {
    words: 'segments come in the other order',
    rules: ['transcription-segments-in-order'],
    // Where the whole speech is one segment, it is cut in two first.
    change: segments((all) =>
      all
        .flatMap((one) => {
          const middle = (one.start + one.end) / 2;
          return [
            { ...one, end: middle },
            { ...one, start: middle },
          ];
        })
        .toReversed(),
    ),
  },
  {
    words: 'a segment starts before zero',
    rules: ['transcription-segments-in-order'],
    change: segments((all) => all.map((one, index) => (index === 0 ? { ...one, start: -1 } : one))),
  },
  {
    words: 'no segments although they are asked for',
    rules: ['timed-segments-when-asked'],
    change: segments(() => []),
  },
  {
    words: 'segments although nobody asks',
    shown: ['transcription-shortest'],
    rules: ['no-segments-unless-asked'],
    change: segments((_all, seconds) => [{ text: 'a', start: 0, end: seconds / 2 }]),
  },
];

/** Transcriptions whose times cannot be. */
export function transcriptions(): Mutant[] {
  return breaks.map(({ words, shown = 'success', rules, change }) => ({
    id: `createTranscription: ${words}`,
    kind: 'transcription',
    operation: 'createTranscription',
    topic: shown,
    rules,
    interference: { answer: onSuccess(change) },
  }));
}
