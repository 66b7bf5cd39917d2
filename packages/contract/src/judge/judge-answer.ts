import type { Answer } from '../answer/answer.ts';
import { lengthInThread } from '../audio/inspect-in-thread.ts';
import {
  answerRules,
  audioRules,
  fieldsRules,
  modelsRules,
  timestampsRules,
  transcriptionRules,
  walletRules,
} from '../rules/all-rules.ts';
import { isObject } from '../specification/document.ts';
import { readAskedAudio } from '../subjects/asked-audio.ts';
import { fieldsOfAnswer, fieldsOfStream } from '../subjects/fields.ts';
import { factsOf, type JudgedAudio, readAudio } from '../subjects/judged-audio.ts';
import { readModels } from '../subjects/models.ts';
import { readTimestamps } from '../subjects/timestamps.ts';
import { readTranscription } from '../subjects/transcription.ts';
import type { Judged, Protocol } from './protocol.ts';

/** What an answer said, for comparing it with others. */
export interface Said {
  readonly said: unknown;
  readonly fingerprint?: string;
}

/** Judges one answer by all rules that speak about one. */
export async function judgeAnswer(answer: Answer, protocol: Protocol, deadlineMs: number): Promise<Said> {
  const judged: Judged = {
    exchange: answer.exchange,
    status: answer.status,
    mediaType: answer.mediaType ?? '',
    answer,
  };
  protocol.note(judged);
  protocol.judge(answerRules, answer, judged);
  const said = 'value' in (answer.json ?? {}) ? (answer.json as { value: unknown }).value : undefined;
  const isLetIn = answer.exchange.expectation?.outcome === 'refused' && answer.isSuccess;
  // A success that should not be is told; its contents were promised to nobody.
  if (isLetIn || answer.operation === undefined) return { said };
  const fields = fieldsOfAnswer(answer);
  if (fields !== undefined) protocol.judge(fieldsRules, fields, judged);
  if (!answer.isSuccess || answer.exchange.response.isBodyMissing === true) return { said };
  switch (answer.operation.id) {
    case 'createSpeech':
      return await judgeSpeech(answer, judged, protocol, deadlineMs);
    case 'streamSpeechWithTimestamps':
      return await judgeStream(answer, judged, protocol, deadlineMs);
    case 'createTranscription':
      protocol.judge(
        transcriptionRules,
        readTranscription(answer, await askedLength(answer, deadlineMs)),
        judged,
      );
      return { said };
    case 'getApiCredit':
    case 'getPackage':
      protocol.judge(walletRules, answer, judged);
      return { said };
    case 'createModel':
    case 'getModel':
    case 'listModels': {
      const models = readModels(answer);
      if (models !== undefined) protocol.judge(modelsRules, models, judged);
      return { said };
    }
    default:
      return { said };
  }
}

async function judgeSpeech(
  answer: Answer,
  judged: Judged,
  protocol: Protocol,
  deadlineMs: number,
): Promise<Said> {
  // Of audio that broke off only that is told.
  if (answer.exchange.response.ended !== 'complete') return { said: undefined };
  const audio = await readAudio(answer.body, readAskedAudio(answer.asked.body), answer.mediaType, deadlineMs);
  protocol.judge(audioRules, audio, judged);
  return { said: shapeOfAudio(audio), ...fingerprintOf(audio) };
}

async function judgeStream(
  answer: Answer,
  judged: Judged,
  protocol: Protocol,
  deadlineMs: number,
): Promise<Said> {
  const timestamps = readTimestamps(answer);
  protocol.judge(fieldsRules, fieldsOfStream(timestamps.raw), judged);
  const asked = readAskedAudio(answer.asked.body);
  const chunks = timestamps.events.flatMap(({ audio }) => (audio === undefined ? [] : [audio]));
  const audio =
    chunks.length === 0 ? undefined : await readAudio(Buffer.concat(chunks), asked, undefined, deadlineMs);
  const subject = {
    ...timestamps,
    ...(asked !== undefined && { asked }),
    ...(audio !== undefined && { audio }),
  };
  protocol.judge(timestampsRules, subject, judged);
  if (audio === undefined || !timestamps.isWhole) return { said: undefined };
  protocol.judge(
    audioRules.filter(({ id }) => !toldOfTheStream.includes(id)),
    audio,
    judged,
  );
  const payloads = timestamps.raw.events.flatMap(({ payload }) =>
    'value' in payload ? [payload.value] : [],
  );
  // Another number of events is no other shape; which of them have a snapshot is the service's own matter.
  return { said: { event: payloads[0], audio: shapeOfAudio(audio) }, ...fingerprintOf(audio) };
}

/** A rule of streams says the same of the joined audio. */
const toldOfTheStream = ['audio-format', 'audio-decodes', 'audio-ends-whole'];

function shapeOfAudio(audio: JudgedAudio): unknown {
  const { format, sampleRate, channels } = factsOf(audio) ?? {};
  return { [`${format} ${sampleRate} ${channels}`]: true };
}

function fingerprintOf(audio: JudgedAudio): { fingerprint?: string } {
  const { fingerprint } = factsOf(audio) ?? {};
  return fingerprint === undefined ? {} : { fingerprint };
}

/** Seconds of the audio that a transcription is of, where the request has it. */
async function askedLength(answer: Answer, deadlineMs: number): Promise<number | undefined> {
  const { body } = answer.asked;
  const audio = isObject(body) ? body.audio : undefined;
  return audio instanceof Uint8Array ? await lengthInThread(audio, deadlineMs) : undefined;
}
