import type { Exchange, HttpExchange, LiveExchange } from '../exchange.ts';
import { type Answer, readAnswer } from './answer.ts';
import type { JudgedMember } from './exchange-group.ts';
import { factsOf, type JudgedAudio, readAskedAudio, readAudio } from './judged-audio.ts';
import { type LiveSession, readLiveSession } from './live-session.ts';
import { readTimestamps, type Timestamps } from './timestamps.ts';

/** One exchange, read once for all chapters of rules. */
export interface Reading {
  /** What comparisons with other exchanges need. */
  readonly member: JudgedMember;
  /** What the exchange shows about the server; `nothing` if it is about the account, the network or a gateway. */
  readonly shows: 'answer' | 'refusal-in-session' | 'account-refusal' | 'no-answer' | 'nothing';
  /** The answer; of a session, that to its upgrade. */
  readonly answer: Answer;
  /** True if the contents of the answer are specified: not those of a success where a refusal was due. */
  readonly isSpecified: boolean;
  /** The answer, if it is a success whose body is there and specified. */
  readonly success?: Answer;
  /** Generated audio that arrived whole. */
  readonly speech?: JudgedAudio;
  /** The head of generated audio whose end no recorder has seen. */
  readonly speechHead?: JudgedAudio;
  readonly timestamps?: Timestamps;
  /** The messages of an open session. */
  readonly session?: LiveSession;
}

/** The answer, if it is one to the request. */
export const readAnswered = ({ shows, answer }: Reading): readonly Answer[] =>
  shows === 'answer' ? [answer] : [];

/** The answer, even if it refuses for reasons of the account. */
export const readAnyAnswer = ({ shows, answer }: Reading): readonly Answer[] =>
  shows === 'answer' || shows === 'account-refusal' ? [answer] : [];

/** Reads an exchange; a circumstance is an answer that shows nothing about the request. */
export async function readExchange(exchange: Exchange, isCircumstance = false): Promise<Reading> {
  return exchange.kind === 'http'
    ? await readCall(exchange, isCircumstance)
    : await readSession(exchange, isCircumstance);
}

async function readCall(exchange: HttpExchange, isCircumstance: boolean): Promise<Reading> {
  const answer = await readAnswer(exchange);
  const { expectation, response } = exchange;
  const { status, mediaType = '', operation } = answer;
  const shows = isCircumstance ? shownByCircumstance(answer) : status === 0 ? 'no-answer' : 'answer';
  const isLetIn = expectation?.outcome === 'refused' && answer.isSuccess;
  const isSpecified = shows === 'answer' && !isLetIn && operation !== undefined;
  const isWholeSuccess = isSpecified && answer.isSuccess && response.isBodyMissing !== true;
  const content = shows === 'answer' ? answer.value : undefined;
  const member = { exchange, status, mediaType, answer, operationId: operation?.id, said: content };
  const reading = { member, shows, answer, isSpecified, ...(isWholeSuccess && { success: answer }) } as const;
  if (isWholeSuccess && operation.id === 'createSpeech') return await withSpeech(reading);
  if (isWholeSuccess && operation.id === 'streamSpeechWithTimestamps') return await withTimestamps(reading);
  return reading;
}

/** Statuses that a gateway answers where the server does not. */
const gatewayStatuses = [502, 504];

function shownByCircumstance({ status, exchange }: Answer): Reading['shows'] {
  const isAnswer = status > 0 && exchange.response.ended !== 'deadline' && !gatewayStatuses.includes(status);
  return isAnswer ? 'account-refusal' : 'nothing';
}

async function withSpeech(reading: Reading): Promise<Reading> {
  const { answer, member } = reading;
  const { ended } = answer.exchange.response;
  // If audio was cut, only that is reported.
  if (ended === 'cut' || ended === 'deadline') return { ...reading, member: { ...member, said: undefined } };
  const speech = await readAudio(answer.body, readAskedAudio(answer.asked.body), answer.mediaType);
  if (ended === 'unknown')
    return { ...reading, speechHead: headOf(speech), member: { ...member, said: undefined } };
  return { ...reading, speech, member: { ...member, said: shapeOfAudio(speech), ...soundOf(speech) } };
}

/** Audio without what only its end shows: lengths, loudness and averages. */
function headOf(speech: JudgedAudio): JudgedAudio {
  const facts = factsOf(speech);
  if (facts === undefined) return speech;
  const { cut: _end, bitsPerSecond: _average, wrongSize: _size, ...head } = facts;
  return { ...speech, inspected: { facts: { ...head, samples: 0, seconds: 0 } } };
}

async function withTimestamps(reading: Reading): Promise<Reading> {
  const timestamps = await readTimestamps(reading.answer);
  const { audio, isWhole, raw } = timestamps;
  if (audio === undefined || !isWhole)
    return { ...reading, timestamps, member: { ...reading.member, said: undefined } };
  const [event] = raw.events.flatMap(({ payload }) => ('value' in payload ? [payload.value] : []));
  // The number of events is not part of the shape, and the service decides which of them have a snapshot.
  const content = { event, audio: shapeOfAudio(audio) };
  return { ...reading, timestamps, member: { ...reading.member, said: content, ...soundOf(audio) } };
}

function shapeOfAudio(audio: JudgedAudio): unknown {
  const { format, sampleRate, channels } = factsOf(audio) ?? {};
  return { [`${format} ${sampleRate} ${channels}`]: true };
}

function soundOf(audio: JudgedAudio): Pick<JudgedMember, 'fingerprint' | 'sound'> {
  const facts = factsOf(audio);
  if (facts === undefined) return {};
  const { fingerprint, seconds, peak, bitsPerSecond } = facts;
  return { fingerprint, sound: { seconds, peak, ...(bitsPerSecond !== undefined && { bitsPerSecond }) } };
}

/** Reads a session: its upgrade as an answer, and its messages if it was opened. */
async function readSession(exchange: LiveExchange, isCircumstance: boolean): Promise<Reading> {
  const session = await readLiveSession(exchange);
  const status = statusOf(session);
  const { name, operationId, upgrade, expectation } = exchange;
  const { status: upgraded } = upgrade.response;
  const answer = await readAnswer({
    kind: 'http',
    name,
    operationId,
    request: upgrade.request,
    response: { ...upgrade.response, status },
    ...(expectation !== undefined && { expectation }),
  });
  const shows = shownBySession(answer, upgraded, isCircumstance);
  const member = { exchange, status: upgraded, mediaType: answer.mediaType ?? '', operationId };
  const reading = { shows, answer, isSpecified: shows === 'answer' } as const;
  if (isCircumstance || upgraded !== 101) return { ...reading, member: { ...member, said: undefined } };
  const prints = session.turns.map(({ audio }) => (audio && factsOf(audio)?.fingerprint) ?? '').join(' ');
  const kinds = new Set(session.received.map(({ event }) => event));
  const eventNames = [...kinds].sort().join(' ');
  const fingerprint = prints.trim() === '' ? {} : { fingerprint: prints };
  return { ...reading, session, member: { ...member, said: eventNames, ...fingerprint } };
}

function shownBySession(answer: Answer, upgraded: number, isCircumstance: boolean): Reading['shows'] {
  if (isCircumstance) return 'nothing';
  if (answer.status === 0) return 'no-answer';
  // A refusal in the session has no body; only whether it was expected is judged.
  return answer.status === upgraded ? 'answer' : 'refusal-in-session';
}

/** The status of the upgrade; 400 if the session was refused after it opened, or 500 if the server failed. */
function statusOf({ exchange, received, turns }: LiveSession): number {
  const { status } = exchange.upgrade.response;
  if (status !== 101) return status;
  const hasError = received.some(({ event }) => event === 'error');
  const code = exchange.close?.by === 'server' ? exchange.close.code : 1000;
  if (code === 1011 || turns.some(({ finished }) => finished === 'error')) return 500;
  return hasError || [1007, 1008, 1009].includes(code) ? 400 : status;
}
