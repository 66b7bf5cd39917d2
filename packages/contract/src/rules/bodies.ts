import { type OperationId, transcriptionDefaults } from '@speech-api/types';
import { chapter, present, unless, unlessEqual, type Verdict } from '../problem.ts';
import { asObject, isObject, type JsonObject } from '../specification/document.ts';
import type { FieldViolation } from '../specification/field-violations.ts';
import type { Answer } from '../subjects/answer.ts';
import { type Fields, fieldsOfAnswer, fieldsOfStream } from '../subjects/fields.ts';
import { countLetters, factsOf, numberOr, readAudio } from '../subjects/judged-audio.ts';
import type { Reading } from '../subjects/reading.ts';
import { beyond, disorderOf, isSegment, type TimedSegment } from '../subjects/timestamps.ts';

export const fieldChapter = chapter(readFields, {
  'body-decodes': ({ undecoded }) => undecoded,

  'field-present': (fields) => violationsOf(fields, 'missing'),

  'field-type': (fields) => violationsOf(fields, 'type', 'value'),

  'listed-values': (fields) => violationsOf(fields, 'listed'),

  'date-time-format': (fields) => violationsOf(fields, 'date-time'),

  'field-known': (fields) => violationsOf(fields, 'unknown'),
});

/** The fields of a body whose contents are specified, and of the events in it. */
function readFields({ answer, isSpecified, timestamps }: Reading): readonly Fields[] {
  const body = isSpecified ? fieldsOfAnswer(answer) : undefined;
  const isShown = answer.operation?.id !== 'createModel' || !answer.isSuccess;
  const ofBody = body === undefined || isShown ? body : openFields(body);
  return present(ofBody, timestamps && fieldsOfStream(timestamps.raw));
}

/** The interface does not show the answer to POST /model. */
function openFields(fields: Fields): Fields {
  return { ...fields, violations: fields.violations.map((violation) => ({ ...violation, isOurs: true })) };
}

/** A violation of a field that the interface does not state is only a warning. */
function violationsOf({ violations }: Fields, ...kinds: readonly FieldViolation['kind'][]): Verdict {
  return violations
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ isOurs, ...violation }) => ({
      ...violation,
      ...(isOurs && violation.kind !== 'unknown' && { severity: 'warning' as const }),
    }));
}

const walletOperations: readonly unknown[] = ['getApiCredit', 'getPackage'] satisfies readonly OperationId[];

const readWallet = ({ success }: Reading): readonly Answer[] =>
  success !== undefined && walletOperations.includes(success.operation?.id) ? [success] : [];

export const walletChapter = chapter(readWallet, {
  'wallet-is-the-one-asked-for': ({ asked, object }) => {
    const userId = asked.path.user_id;
    const answered = object?.user_id;
    if (userId === undefined || userId === 'self' || typeof answered !== 'string') return undefined;
    const message = `The wallet of ${userId} was requested, but the answer is that of ${answered}.`;
    return unlessEqual(answered, userId, { message, where: '/user_id' });
  },

  'credit-is-decimal': ({ object }) => {
    const credit = object?.credit;
    if (typeof credit !== 'string') return undefined;
    const message = `The credit is ${JSON.stringify(credit)}, which is not a decimal number.`;
    const problem = { message, where: '/credit', expected: 'a decimal number', actual: credit };
    return unless(/^-?\d+(\.\d+)?$/.test(credit), problem);
  },

  'wallet-times': ({ object }) => {
    if (object === undefined) return undefined;
    const created = Date.parse(String(object.created_at));
    return ['updated_at', 'finished_at'].flatMap((name) => {
      const message = `\`/${name}\` is ${object[name]}, before created_at, ${object.created_at}.`;
      return unless(!(Date.parse(String(object[name])) < created), { message, where: `/${name}` });
    });
  },
});

/** A transcription with its audio. */
interface JudgedTranscription {
  readonly text: string | undefined;
  /** Duration in seconds, as the answer states it. */
  readonly duration: number | undefined;
  /** Undefined if the value is not a list of segments. */
  readonly segments: readonly TimedSegment[] | undefined;
  /** Duration of the uploaded audio in seconds, if it is known. */
  readonly audioSeconds: number | undefined;
  /** Contents of the request, if known. */
  readonly asked: JsonObject | undefined;
}

async function readTranscription({ success }: Reading): Promise<readonly JudgedTranscription[]> {
  if (success?.operation?.id !== 'createTranscription') return [];
  const { body } = success.asked;
  const { text, duration, segments } = asObject(success.object);
  const request = isObject(body) ? body : undefined;
  const recording = request?.audio instanceof Uint8Array ? await readAudio(request.audio) : undefined;
  const transcription = {
    text: typeof text === 'string' ? text : undefined,
    duration: numberOr(duration, undefined),
    segments: Array.isArray(segments) && segments.every(isSegment) ? segments : undefined,
    audioSeconds: recording && factsOf(recording)?.seconds,
    asked: request,
  };
  return [transcription];
}

export const transcriptionChapter = chapter(readTranscription, {
  'transcription-duration-unit': ({ duration, segments = [], audioSeconds }, limit) => {
    if (duration === undefined || audioSeconds === undefined || audioSeconds === 0) return undefined;
    const ratio = duration / audioSeconds;
    const late = beyond(segments, audioSeconds * limit('times'));
    const lasts = audioSeconds.toFixed(3);
    return [
      ...unless(ratio < limit('times') && ratio > 1 / limit('times'), {
        message: `The duration is ${duration}, but the audio lasts ${lasts} seconds.`,
        where: '/duration',
        expected: lasts,
        actual: String(duration),
      }),
      ...unless(late === undefined, {
        message: `Segment ${late?.index} ends at ${late?.end}, but the audio lasts ${lasts} seconds.`,
        where: `/segments/${late?.index}/end`,
        expected: `at most ${lasts}`,
        actual: String(late?.end),
      }),
    ];
  },

  'transcription-duration': ({ duration, audioSeconds }, limit) => {
    if (duration === undefined || audioSeconds === undefined) return undefined;
    const tolerance = limit('tolerance_seconds') + audioSeconds * limit('tolerance_share');
    const expected = audioSeconds.toFixed(3);
    const message = `The duration is ${duration} seconds, the audio lasts ${expected}.`;
    const difference = Math.abs(duration - audioSeconds);
    const isAnother = difference > limit('other_seconds') + audioSeconds * limit('other_share');
    const severity = isAnother ? 'error' : undefined;
    const problem = { message, where: '/duration', expected, actual: String(duration), severity } as const;
    return unless(difference <= tolerance, problem);
  },

  'transcription-segments-in-order': ({ segments }) => {
    if (segments === undefined) return undefined;
    const disorder = disorderOf(segments);
    if (disorder === undefined) return [];
    return [{ message: `The ${disorder.message}.`, where: `/segments/${disorder.index}` }];
  },

  'transcription-segments-inside': ({ segments, duration }, limit) => {
    if (segments === undefined || duration === undefined) return undefined;
    const late = beyond(segments, duration + limit('tolerance_seconds'));
    if (late === undefined) return [];
    const { index, end } = late;
    const message = `Segment ${index} ends at ${end}, after the duration of ${duration}.`;
    const expected = `at most ${duration}`;
    return [{ message, where: `/segments/${index}/end`, expected, actual: String(end) }];
  },

  'transcription-times-are-told': ({ segments = [] }) => {
    if (segments.length === 0) return undefined;
    const isTold = segments.some(({ start, end }) => start !== 0 || end !== 0);
    const message = `Every segment starts and ends at zero (${segments.length} in all).`;
    return unless(isTold, { message, where: '/segments' });
  },

  'transcription-segments-have-the-text': ({ segments = [], text = '' }, limit) => {
    const letters = countLetters(text);
    if (segments.length === 0 || letters === 0) return undefined;
    const timed = countLetters(segments.map((segment) => segment.text).join(' '));
    const minimum = Math.ceil(letters * limit('share_at_least'));
    const message = `The segments have ${timed} of the ${letters} letters of the text.`;
    const problem = { message, where: '/segments', expected: `at least ${minimum}`, actual: String(timed) };
    return unless(timed >= minimum, problem);
  },

  'timed-segments-when-asked': ({ asked, segments, text }) => {
    if (segments === undefined || !isFalse(asked?.ignore_timestamps)) return undefined;
    const isSaid = text !== undefined && text.trim() !== '';
    const message =
      'Timed segments were requested with ignore_timestamps false, but there are none. Public documentation allows that where alignment is unavailable.';
    return unless(!isSaid || segments.length > 0, { message, where: '/segments' });
  },

  'no-segments-unless-asked': ({ asked, segments }) => {
    if (segments === undefined || asked === undefined) return undefined;
    const { ignore_timestamps: ignores = transcriptionDefaults.ignore_timestamps } = asked;
    if (isFalse(ignores)) return undefined;
    const message = `ignore_timestamps is not false, but the answer has segments (${segments.length}).`;
    return unless(segments.length === 0, { message, where: '/segments', expected: '[]' });
  },
});

/** Forms have no booleans, only text. */
function isFalse(value: unknown): boolean {
  return value === false || value === 'false';
}
