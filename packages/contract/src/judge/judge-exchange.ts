import type { HttpExchange, LiveExchange } from '../exchange.ts';
import type { Rules } from '../problem.ts';
import { audioRules } from '../rules/audio.ts';
import { deliveryRules } from '../rules/delivery.ts';
import { errorRules } from '../rules/errors.ts';
import { fieldRules } from '../rules/fields.ts';
import { liveRules } from '../rules/live.ts';
import { modelRules } from '../rules/models.ts';
import { outcomeRules } from '../rules/outcome.ts';
import { timestampRules } from '../rules/timestamps.ts';
import { transcriptionRules } from '../rules/transcription.ts';
import { walletRules } from '../rules/wallet.ts';
import { isObject } from '../specification/document.ts';
import { type Answer, readAnswer } from '../subjects/answer.ts';
import { type Fields, fieldsOfAnswer, fieldsOfStream } from '../subjects/fields.ts';
import { lengthInThread } from '../subjects/inspect-in-thread.ts';
import { factsOf, type JudgedAudio, readAskedAudio, readAudio } from '../subjects/judged-audio.ts';
import { type LiveSession, readLiveSession } from '../subjects/live-session.ts';
import { readModels } from '../subjects/models.ts';
import { readTimestamps } from '../subjects/timestamps.ts';
import { readTranscription } from '../subjects/transcription.ts';
import type { Judged, Protocol } from './protocol.ts';

const answerRules: Rules<Answer> = { ...outcomeRules, ...deliveryRules, ...errorRules };

const aboutNoAnswer: Rules<Answer> = pick(deliveryRules, ['body-complete']);

/** Rules of answers that hold for a session as a whole. */
const aboutOutcome: Rules<Answer> = pick(outcomeRules, [
  'success-expected',
  'refusal-expected',
  'key-checked',
]);

function pick<Subject>(rules: Rules<Subject>, ids: readonly string[]): Rules<Subject> {
  return Object.fromEntries(Object.entries(rules).filter(([id]) => ids.includes(id)));
}

function without<Subject>(rules: Rules<Subject>, ids: readonly string[]): Rules<Subject> {
  return Object.fromEntries(Object.entries(rules).filter(([id]) => !ids.includes(id)));
}

/** Rules that any refusal keeps, whatever the request was. */
const aboutAnyRefusal: Rules<Answer> = pick(answerRules, [
  'error-body-shape',
  'error-body-status',
  'error-media-type',
  'header-values',
  'key-is-not-shown',
]);

/** Content of an answer, for comparing it with others. */
interface Said {
  readonly said: unknown;
  readonly fingerprint?: string;
  /** Of generated audio. */
  readonly seconds?: number;
  /** Of generated audio: its loudest sample, of full scale. */
  readonly peak?: number;
  /** Of generated opus, on average. */
  readonly bitsPerSecond?: number;
}

/** Judges one answer by all rules that speak about one. */
export async function judgeAnswer(
  answer: Answer,
  protocol: Protocol,
  deadlineMs: number,
  isCircumstance: boolean,
): Promise<Said> {
  const judged: Judged = {
    exchange: answer.exchange,
    status: answer.status,
    mediaType: answer.mediaType ?? '',
    answer,
  };
  protocol.note(judged);
  if (isCircumstance) {
    // A late answer does not count as one; a refusal about the account does, though not of this request.
    if (answer.exchange.response.ended !== 'deadline') protocol.judge(aboutAnyRefusal, answer, judged);
    return { said: undefined };
  }
  // If no answer came, there is nothing else to judge.
  if (answer.status === 0) protocol.judge(aboutNoAnswer, answer, judged);
  else protocol.judge(answerRules, answer, judged);
  if (answer.status === 0) return { said: undefined };
  const said = 'value' in (answer.json ?? {}) ? (answer.json as { value: unknown }).value : undefined;
  const isLetIn = answer.exchange.expectation?.outcome === 'refused' && answer.isSuccess;
  // An unexpected success is reported; its contents are not specified, so they are not judged.
  if (isLetIn || answer.operation === undefined) return { said };
  const fields = fieldsOfAnswer(answer);
  if (fields !== undefined) protocol.judge(fieldRules, openWhereNotShown(fields, answer), judged);
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
      if (models !== undefined) protocol.judge(modelRules, models, judged);
      return { said };
    }
    default:
      return { said };
  }
}

/** The interface does not show what POST /model answers. */
function openWhereNotShown(fields: Fields, { operation, isSuccess }: Answer): Fields {
  if (operation?.id !== 'createModel' || !isSuccess) return fields;
  return { ...fields, violations: fields.violations.map((each) => ({ ...each, isOurs: true })) };
}

async function judgeSpeech(
  answer: Answer,
  judged: Judged,
  protocol: Protocol,
  deadlineMs: number,
): Promise<Said> {
  // Of audio that was cut, only that is reported.
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
  protocol.judge(fieldRules, fieldsOfStream(timestamps.raw), judged);
  const asked = readAskedAudio(answer.asked.body);
  const chunks = timestamps.events.flatMap(({ audio }) => (audio === undefined ? [] : [audio]));
  const audio =
    chunks.length === 0 ? undefined : await readAudio(Buffer.concat(chunks), asked, undefined, deadlineMs);
  const subject = {
    ...timestamps,
    ...(asked !== undefined && { asked }),
    ...(audio !== undefined && { audio }),
  };
  protocol.judge(timestampRules, subject, judged);
  if (audio === undefined || !timestamps.isWhole) return { said: undefined };
  protocol.judge(without(audioRules, toldOfTheStream), audio, judged);
  const payloads = timestamps.raw.events.flatMap(({ payload }) =>
    'value' in payload ? [payload.value] : [],
  );
  // The number of events is not part of the shape, and the service decides which of them have a snapshot.
  return { said: { event: payloads[0], audio: shapeOfAudio(audio) }, ...fingerprintOf(audio) };
}

/** A rule of streams says the same of the joined audio. */
const toldOfTheStream = ['audio-format', 'audio-decodes', 'audio-ends-whole'];

function shapeOfAudio(audio: JudgedAudio): unknown {
  const { format, sampleRate, channels } = factsOf(audio) ?? {};
  return { [`${format} ${sampleRate} ${channels}`]: true };
}

function fingerprintOf(audio: JudgedAudio): Pick<Said, 'fingerprint' | 'seconds' | 'peak' | 'bitsPerSecond'> {
  const { fingerprint, seconds, peak, bitsPerSecond } = factsOf(audio) ?? {};
  return {
    ...(fingerprint !== undefined && { fingerprint }),
    ...(seconds !== undefined && { seconds }),
    ...(peak !== undefined && { peak }),
    ...(bitsPerSecond !== undefined && { bitsPerSecond }),
  };
}

/** Seconds of the audio that a transcription is of, where the request has it. */
async function askedLength(answer: Answer, deadlineMs: number): Promise<number | undefined> {
  const { body } = answer.asked;
  const audio = isObject(body) ? body.audio : undefined;
  return audio instanceof Uint8Array ? await lengthInThread(audio, deadlineMs) : undefined;
}

/** Judges a session: its upgrade as an answer, its messages, and the audio that they join to. */
export async function judgeLive(
  exchange: LiveExchange,
  protocol: Protocol,
  deadlineMs: number,
  isCircumstance: boolean,
): Promise<Said> {
  const session = await withAudio(readLiveSession(exchange), deadlineMs);
  const status = statusOf(session);
  const answer = await readAnswer(asHttp(exchange, status));
  const judged: Judged = {
    exchange,
    status: exchange.upgrade.response.status,
    mediaType: answer.mediaType ?? '',
  };
  protocol.note(judged);
  if (isCircumstance) return { said: undefined };
  if (status === 0) {
    protocol.judge(aboutNoAnswer, answer, judged);
    return { said: undefined };
  }
  // A refusal in the session has no body; only whether it was expected is judged.
  const isRefusedInside = status !== exchange.upgrade.response.status;
  protocol.judge(isRefusedInside ? aboutOutcome : answerRules, answer, judged);
  const fields = isRefusedInside ? undefined : fieldsOfAnswer(answer);
  if (fields !== undefined) protocol.judge(fieldRules, fields, judged);
  if (exchange.upgrade.response.status !== 101) return { said: undefined };
  protocol.judge(liveRules, session, judged);
  for (const { audio } of session.turns) {
    if (audio !== undefined) protocol.judge(without(audioRules, toldOfTheSession), audio, judged);
  }
  const fingerprint = session.turns
    .map(({ audio }) => (audio === undefined ? '' : factsOf(audio)?.fingerprint))
    .join(' ');
  const kinds = new Set(
    session.messages.filter(({ direction }) => direction === 'received').map(({ event }) => event),
  );
  return { said: [...kinds].sort().join(' '), ...(fingerprint.trim() !== '' && { fingerprint }) };
}

/** A rule of sessions says the same of the joined audio. */
const toldOfTheSession = ['audio-format', 'audio-decodes', 'audio-ends-whole', 'audio-not-empty'];

/**
 * That of the upgrade; or 400 where the session was refused once it was open, with an error message or a close code;
 * or 500 where it finished because the server failed.
 */
function statusOf({ exchange, messages, turns }: LiveSession): number {
  const { status } = exchange.upgrade.response;
  if (status !== 101) return status;
  const hasError = messages.some(({ direction, event }) => direction === 'received' && event === 'error');
  const code = exchange.close?.by === 'server' ? exchange.close.code : 1000;
  if (code === 1011 || turns.some(({ finished }) => finished === 'error')) return 500;
  return hasError || [1007, 1008, 1009].includes(code) ? 400 : status;
}

function asHttp(exchange: LiveExchange, status: number): HttpExchange {
  const { name, operationId, upgrade, expectation } = exchange;
  return {
    kind: 'http',
    name,
    operationId,
    request: upgrade.request,
    response: { ...upgrade.response, status },
    ...(expectation !== undefined && { expectation }),
  };
}

async function withAudio(session: LiveSession, deadlineMs: number): Promise<LiveSession> {
  const turns = session.turns.map(async (turn) => {
    // Audio of a session that did not end well need not be whole.
    if (turn.finished !== 'stop' || turn.pieces.length === 0) return turn;
    const bytes = Buffer.concat(turn.pieces.map((piece) => piece.bytes));
    return { ...turn, audio: await readAudio(bytes, turn.asked, undefined, deadlineMs) };
  });
  return { ...session, turns: await Promise.all(turns) };
}
