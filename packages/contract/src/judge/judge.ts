import { headerNames } from '@speech-api/types';
import type { Exchange, GroupMembership, HttpExchange, LiveExchange } from '../exchange.ts';
import { hideKeys, keyOf } from '../key.ts';
import type { Rules } from '../problem.ts';
import { audioRules } from '../rules/audio.ts';
import { fieldRules, readTranscription, transcriptionRules, walletRules } from '../rules/bodies.ts';
import { deliveryRules } from '../rules/delivery.ts';
import { liveRules } from '../rules/live.ts';
import { modelRules, readModels } from '../rules/models.ts';
import { errorRules, outcomeRules } from '../rules/outcome.ts';
import { ownTraceOf, relationRules } from '../rules/relations.ts';
import { requestRules, sessionRules } from '../rules/requests.ts';
import { timestampRules } from '../rules/timestamps.ts';
import { isObject, specificationVersion } from '../specification/document.ts';
import { clientRules, type JudgedRule } from '../specification/rules.ts';
import { type Answer, readAnswer } from '../subjects/answer.ts';
import type { ExchangeGroup, GroupMember, JudgedMember } from '../subjects/exchange-group.ts';
import { type Fields, fieldsOfAnswer, fieldsOfStream } from '../subjects/fields.ts';
import { factsOf, type JudgedAudio, readAskedAudio, readAudio } from '../subjects/judged-audio.ts';
import { type LiveSession, readLiveSession } from '../subjects/live-session.ts';
import { readTimestamps } from '../subjects/timestamps.ts';
import { toolName, toolVersion } from '../tool.ts';
import {
  type CircumstanceReason,
  circumstancesOf,
  countCircumstances,
  withoutSuccess,
} from './circumstances.ts';
import { gatherOperations } from './gather.ts';
import { type Judged, Protocol } from './protocol.ts';
import { type Finding, findUncovered, isKnown, type JudgeOptions, type Report } from './report.ts';

/**
 * Judges exchanges by every rule of the spec that a service keeps.
 *
 * Nothing is sent or changed: exchanges are judged as recorded. The report never contains a key.
 */
export async function judge(exchanges: readonly Exchange[], options: JudgingOptions = {}): Promise<Report> {
  const protocol = new Protocol(options.profile ?? 'full', options.rules);
  const members: JudgedMember[] = [];
  const circumstances = circumstancesOf(exchanges);
  const requests = new Protocol('full', clientRules());
  for (const exchange of exchanges) {
    if (options.judgesRequest?.(exchange) === true) await judgeRequest(exchange, requests);
    members.push(await judgeOne(exchange, protocol, circumstances.has(exchange)));
  }
  const report = reportOf(members, protocol, requests.findings, options, circumstances);
  return hideKeys(report, [...new Set(exchanges.flatMap((exchange) => keyOf(exchange) ?? []))]);
}

/** {@link JudgeOptions}, with other rules than those of the spec. */
interface JudgingOptions extends JudgeOptions {
  /** The exchanges whose requests are judged too, by the rules that a client keeps. @defaultValue none */
  readonly judgesRequest?: (exchange: Exchange) => boolean;
  readonly rules?: ReadonlyMap<string, JudgedRule> | undefined;
}

/** Judges exchanges one by one, then what several of them show together, and reports. */
function reportOf(
  members: readonly JudgedMember[],
  protocol: Protocol,
  ofRequests: readonly Finding[],
  options: JudgeOptions,
  circumstances: ReadonlyMap<Exchange, CircumstanceReason>,
): Report {
  const judged = members.filter(({ exchange }) => !circumstances.has(exchange));
  for (const group of groupsOf(judged, options.deterministic ?? false)) {
    const last = group.members.at(-1);
    if (last !== undefined) protocol.judge(relationRules, group, last);
  }
  const exchanges = members.map(({ exchange }) => exchange);
  const findings = [...ofRequests, ...gatherOperations(protocol.findings, members)].map(
    (finding): Finding => (isKnown(finding, options.baseline) ? { ...finding, known: true } : finding),
  );
  return {
    tool: { name: toolName, version: toolVersion() },
    specification: { version: specificationVersion() },
    findings: findings.toSorted((first, second) => weight(first) - weight(second)),
    circumstances: [...countCircumstances(circumstances), ...withoutSuccess(members)],
    coverage: { cells: protocol.cells, uncovered: findUncovered(exchanges, options) },
    exchanges: members.map(({ exchange, status, operationId }) => ({
      name: exchange.name,
      status,
      ...(operationId !== undefined && { operationId }),
    })),
  };
}

/** Judges what a client has sent: its request, and its messages in a session. */
export async function judgeRequest(exchange: Exchange, protocol: Protocol): Promise<void> {
  const { name, operationId } = exchange;
  const isLive = exchange.kind === 'live';
  const { request, response } = isLive ? exchange.upgrade : exchange;
  const answer = await readAnswer({
    kind: 'http',
    name,
    request,
    response,
    ...(operationId && { operationId }),
  });
  const judged = { exchange, status: answer.status, mediaType: '', answer };
  protocol.judge(requestRules, answer, judged);
  if (isLive) protocol.judge(sessionRules, await readLiveSession(exchange), judged);
}

/** Judges one exchange by all rules about single exchanges. */
async function judgeOne(
  exchange: Exchange,
  protocol: Protocol,
  isCircumstance = false,
): Promise<JudgedMember> {
  const judging = { protocol, isCircumstance };
  return exchange.kind === 'http'
    ? await judgeCall(exchange, judging)
    : await judgeSession(exchange, judging);
}

/** The groups that exchanges name, then those that the judge forms. */
function groupsOf(members: readonly JudgedMember[], isDeterministic: boolean): readonly ExchangeGroup[] {
  const named = members.flatMap((member) =>
    (member.exchange.groups ?? []).map((membership): GroupMember => ({ ...member, membership })),
  );
  const byName = Map.groupBy(named, ({ membership: { id, relation } }) => `${relation} ${id}`);
  const together = (membership: GroupMembership, all: readonly JudgedMember[]) =>
    all.map((member): GroupMember => ({ ...member, membership }));
  const untraced = members.filter(({ answer }) => answer !== undefined && ownTraceOf(answer) !== undefined);
  const alike = Map.groupBy(members, settingsOf);
  alike.delete(undefined);
  const successes = members.filter(({ exchange }) => exchange.expectation?.outcome === 'success');
  const byOperation = Map.groupBy(successes, ({ operationId }) => operationId);
  byOperation.delete(undefined);
  return [
    ...[...byName.values()].map(inOrder),
    together({ id: 'untraced', relation: 'untraced' }, untraced),
    ...[...alike.values()].map((group) => together({ id: 'texts', relation: 'texts' }, group)),
    ...[...byOperation].map(([id = '', group]) => together({ id, relation: 'operation' }, group)),
  ].flatMap((subject) => {
    const { id, relation } = subject[0]?.membership ?? {};
    if (id === undefined || relation === undefined) return [];
    return [{ id, relation, isDeterministic, members: subject }];
  });
}

/** All settings of a speech request except its text; `undefined` if two texts may sound alike. */
function settingsOf({ answer, operationId, fingerprint }: JudgedMember): string | undefined {
  if (fingerprint === undefined || answer === undefined || !isObject(answer.asked.body)) return undefined;
  const { text: _spoken, references, max_new_tokens: cutsShort, ...settings } = answer.asked.body;
  if (references !== undefined || cutsShort !== undefined) return undefined;
  const ordered = Object.entries(settings).sort(([first], [second]) => first.localeCompare(second));
  return JSON.stringify([operationId, answer.asked.headers[headerNames.model], ordered]);
}

/** The members, beginning with the reference for all comparisons: the request without a traceparent. */
function inOrder(members: readonly GroupMember[]): readonly GroupMember[] {
  const isTraced = ({ membership: { relation, role } }: GroupMember) =>
    relation === 'trace' && role === 'with' ? 1 : 0;
  return members.toSorted((first, second) => isTraced(first) - isTraced(second));
}

function weight({ severity, known }: Finding): number {
  return ['error', 'warning', 'drift'].indexOf(severity) + (known === true ? 3 : 0);
}

const answerRules: Rules<Answer> = { ...outcomeRules, ...deliveryRules, ...errorRules };

const aboutNoAnswer = pick(deliveryRules, ['body-complete']);

/** Rules of answers that also hold for a whole session. */
const aboutOutcome = pick(outcomeRules, ['success-expected', 'refusal-expected', 'key-checked']);

/** Rules that any refusal keeps, whatever the request was. */
const aboutAnyRefusal = pick(answerRules, [
  'error-body-shape',
  'error-body-status',
  'error-media-type',
  'header-values',
  'key-is-not-shown',
]);

/** Rules of audio that streams and sessions state in their own words for the joined audio. */
const toldOfTheStream = ['audio-format', 'audio-decodes', 'audio-ends-whole'];
const aboutAudioOfStreams = pick(audioRules, toldOfTheStream, false);
const aboutAudioOfSessions = pick(audioRules, [...toldOfTheStream, 'audio-not-empty'], false);

/** The rules with these ids, or without them. */
function pick<Subject>(rules: Rules<Subject>, ids: readonly string[], isIncluded = true): Rules<Subject> {
  return Object.fromEntries(Object.entries(rules).filter(([id]) => ids.includes(id) === isIncluded));
}

/** Statuses that a gateway answers where the server does not. */
const gatewayStatuses = [502, 504];

/** The way one exchange is judged. */
interface Judging {
  readonly protocol: Protocol;
  /** True if the answer shows a circumstance instead of what the call should show. */
  readonly isCircumstance: boolean;
}

/** The content of an answer, which is compared with other answers. */
type Said = Pick<JudgedMember, 'said' | 'fingerprint' | 'sound'>;

/** Judges one answer by all rules about single answers. */
async function judgeCall(exchange: HttpExchange, judging: Judging): Promise<JudgedMember> {
  const answer = await readAnswer(exchange);
  const { status, mediaType = '', operation } = answer;
  const judged = { exchange, status, mediaType, answer };
  judging.protocol.note(judged);
  return { ...judged, operationId: operation?.id, ...(await judgeAnswer(answer, judged, judging)) };
}

async function judgeAnswer(answer: Answer, judged: Judged, judging: Judging): Promise<Said> {
  const { protocol } = judging;
  const { expectation, response } = answer.exchange;
  if (judging.isCircumstance) {
    // A refusal about the account is an answer, though not to this request; a late answer or one of a gateway is not.
    const isAnswer =
      response.ended !== 'deadline' && answer.status > 0 && !gatewayStatuses.includes(answer.status);
    if (isAnswer) protocol.judge(aboutAnyRefusal, answer, judged);
    return { said: undefined };
  }
  // If no answer came, there is nothing else to judge.
  protocol.judge(answer.status === 0 ? aboutNoAnswer : answerRules, answer, judged);
  if (answer.status === 0) return { said: undefined };
  const value = answer.value;
  const isLetIn = expectation?.outcome === 'refused' && answer.isSuccess;
  // An unexpected success is reported; its contents are not judged, because nothing specifies them.
  if (isLetIn || answer.operation === undefined) return { said: value };
  const fields = fieldsOfAnswer(answer);
  if (fields !== undefined) protocol.judge(fieldRules, openWhereNotShown(fields, answer), judged);
  if (!answer.isSuccess || response.isBodyMissing === true) return { said: value };
  switch (answer.operation.id) {
    case 'createSpeech':
      return await judgeSpeech(answer, judged, judging);
    case 'streamSpeechWithTimestamps':
      return await judgeStream(answer, judged, judging);
    case 'createTranscription':
      protocol.judge(transcriptionRules, await readTranscription(answer), judged);
      return { said: value };
    case 'getApiCredit':
    case 'getPackage':
      protocol.judge(walletRules, answer, judged);
      return { said: value };
    case 'createModel':
    case 'getModel':
    case 'listModels': {
      const models = readModels(answer);
      if (models !== undefined) protocol.judge(modelRules, models, judged);
      return { said: value };
    }
    default:
      return { said: value };
  }
}

/** The interface does not show the answer to POST /model. */
function openWhereNotShown(fields: Fields, { operation, isSuccess }: Answer): Fields {
  if (operation?.id !== 'createModel' || !isSuccess) return fields;
  return { ...fields, violations: fields.violations.map((violation) => ({ ...violation, isOurs: true })) };
}

async function judgeSpeech(answer: Answer, judged: Judged, { protocol }: Judging): Promise<Said> {
  // If audio was cut, only that is reported.
  if (answer.exchange.response.ended !== 'complete') return { said: undefined };
  const audio = await readAudio(answer.body, readAskedAudio(answer.asked.body), answer.mediaType);
  protocol.judge(audioRules, audio, judged);
  return { said: shapeOfAudio(audio), ...soundOf(audio) };
}

async function judgeStream(answer: Answer, judged: Judged, { protocol }: Judging): Promise<Said> {
  const timestamps = await readTimestamps(answer);
  const { audio, isWhole, raw } = timestamps;
  protocol.judge(fieldRules, fieldsOfStream(raw), judged);
  protocol.judge(timestampRules, timestamps, judged);
  if (audio === undefined || !isWhole) return { said: undefined };
  protocol.judge(aboutAudioOfStreams, audio, judged);
  const [event] = raw.events.flatMap(({ payload }) => ('value' in payload ? [payload.value] : []));
  // The number of events is not part of the shape, and the service decides which of them have a snapshot.
  return { said: { event, audio: shapeOfAudio(audio) }, ...soundOf(audio) };
}

function shapeOfAudio(audio: JudgedAudio): unknown {
  const { format, sampleRate, channels } = factsOf(audio) ?? {};
  return { [`${format} ${sampleRate} ${channels}`]: true };
}

function soundOf(audio: JudgedAudio): Pick<Said, 'fingerprint' | 'sound'> {
  const facts = factsOf(audio);
  if (facts === undefined) return {};
  const { fingerprint, seconds, peak, bitsPerSecond } = facts;
  return { fingerprint, sound: { seconds, peak, ...(bitsPerSecond !== undefined && { bitsPerSecond }) } };
}

/** Judges a session: its upgrade as an answer, its messages, and the audio that they join to. */
async function judgeSession(exchange: LiveExchange, judging: Judging): Promise<JudgedMember> {
  const { protocol, isCircumstance } = judging;
  const session = await readLiveSession(exchange);
  const status = statusOf(session);
  const { status: upgraded } = exchange.upgrade.response;
  const { name, operationId, upgrade, expectation } = exchange;
  const answer = await readAnswer({
    kind: 'http',
    name,
    operationId,
    request: upgrade.request,
    response: { ...upgrade.response, status },
    ...(expectation !== undefined && { expectation }),
  });
  const judged = { exchange, status: upgraded, mediaType: answer.mediaType ?? '' };
  const member = { ...judged, mediaType: '', operationId, said: undefined };
  protocol.note(judged);
  if (isCircumstance) return member;
  // A refusal in the session has no body; only whether it was expected is judged.
  const isRefusedInside = status !== upgraded;
  const rules = isRefusedInside ? aboutOutcome : answerRules;
  protocol.judge(status === 0 ? aboutNoAnswer : rules, answer, judged);
  const fields = isRefusedInside || status === 0 ? undefined : fieldsOfAnswer(answer);
  if (fields !== undefined) protocol.judge(fieldRules, fields, judged);
  if (upgraded !== 101) return member;
  protocol.judge(liveRules, session, judged);
  for (const { audio } of session.turns) {
    if (audio !== undefined) protocol.judge(aboutAudioOfSessions, audio, judged);
  }
  const fingerprint = session.turns
    .map(({ audio }) => (audio && factsOf(audio)?.fingerprint) ?? '')
    .join(' ');
  const kinds = new Set(session.received.map(({ event }) => event));
  const names = [...kinds].sort().join(' ');
  return { ...member, said: names, ...(fingerprint.trim() !== '' && { fingerprint }) };
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
