import { parentPort, workerData } from 'node:worker_threads';
import { refusals } from '@speech-api/types';
import type { Exchange, HttpExchange, RefusalExpected } from '../exchange.ts';
import { judgeOne, reportOf } from '../judge/judge.ts';
import { type Judged, Protocol } from '../judge/protocol.ts';
import type { Finding, JudgeOptions, Report } from '../judge/report.ts';
import { requestRules, sessionRules } from '../rules/requests.ts';
import { clientRules, serviceRules } from '../specification/rules.ts';
import { readAnswer } from '../subjects/answer.ts';
import type { JudgedMember } from '../subjects/exchange-group.ts';
import { readLiveSession } from '../subjects/live-session.ts';
import { deriveExpectation } from '../subjects/request-break.ts';
import { exchangeOf } from './read-copy.ts';
import type { Copy } from './record.ts';

/** Messages from the thread. */
export type Said =
  | {
      readonly judged: string;
      readonly bytes: number;
      readonly findings: readonly Finding[];
      /** Reason why a part of it was not judged. */
      readonly notJudged?: string;
    }
  | { readonly report: Report };

/** Data that the thread is started with. */
export interface ThreadData {
  readonly options: JudgeOptions;
  /** Bytes of one decompressed body or message. */
  readonly bodyBytes: number;
}

// The program of the thread that judges: however long that takes, no byte that passes waits for it.

const { options, bodyBytes } = workerData as ThreadData;
const rules = new Map([...serviceRules(), ...clientRules()]);
const protocol = new Protocol(options.profile ?? 'full', rules);
const members: JudgedMember[] = [];

async function take(copy: Copy): Promise<Said> {
  const before = protocol.findings.length;
  let notJudged: string | undefined;
  try {
    await judgeBothSides(await exchangeOf(copy, bodyBytes));
  } catch (error) {
    notJudged = `it can't be read: ${error instanceof Error ? error.message : String(error)}`;
  }
  const findings = protocol.findings.slice(before);
  return { judged: copy.name, bytes: copy.bytes, findings, ...(notJudged !== undefined && { notJudged }) };
}

async function judgeBothSides(recorded: Exchange): Promise<void> {
  const request = await readAnswer(recorded.kind === 'live' ? asCall(recorded) : recorded);
  const asked: Judged = {
    exchange: recorded,
    status: request.status,
    mediaType: request.mediaType ?? '',
    answer: request,
  };
  const before = protocol.findings.length;
  protocol.judge(requestRules, request, asked);
  if (recorded.kind === 'live') protocol.judge(sessionRules, await readLiveSession(recorded), asked);
  const broken = protocol.findings.slice(before).find(({ severity }) => severity === 'error');
  const exchange = await withExpectation(recorded, broken);
  const { answer, ...member } = await judgeOne(exchange, protocol, options);
  const light = withoutBodies(exchange);
  members.push({
    ...member,
    exchange: light,
    said: undefined,
    ...(answer !== undefined && light.kind === 'http' && { answer: { ...(await readAnswer(light)) } }),
  });
}

/** A client that breaks what the interface states must be refused; nothing else is expected of what passes by. */
async function withExpectation(exchange: Exchange, broken: Finding | undefined): Promise<Exchange> {
  if (broken?.rule === 'request-has-key')
    return { ...exchange, expectation: refusedBy('key-missing', broken) };
  const derived = await deriveExpectation(exchange);
  if (derived.expectation?.outcome === 'refused')
    return { ...derived, expectation: { ...derived.expectation, refusals: beforeTheWork } };
  if (broken?.rule === 'request-rules')
    return { ...exchange, expectation: { ...refusedBy('rule', broken), refusals: beforeTheWork } };
  return exchange;
}

/** A server may have another reason to refuse, which it looks for first. */
const beforeTheWork = refusals.filter(({ stage }) => stage !== 'work').map(({ id }) => id);

function refusedBy(id: string, { message }: Finding): RefusalExpected {
  const because = message.replace(/^The /, 'the ').replace(/\.$/, '');
  return { outcome: 'refused', refusals: [id], because };
}

/** The request that opens a socket, as an ordinary HTTP call. */
function asCall({ name, operationId, upgrade }: Extract<Exchange, { kind: 'live' }>): HttpExchange {
  return { kind: 'http', name, operationId, request: upgrade.request, response: upgrade.response };
}

/** The part of an exchange that is needed once it has been judged by itself. */
function withoutBodies(exchange: Exchange): Exchange {
  if (exchange.kind === 'live') return { ...exchange, messages: [] };
  const { body: _sent, decoded: _decoded, ...request } = exchange.request;
  const { status, ended, headers } = exchange.response;
  const response = { status, headers, ended, body: new Uint8Array(), isBodyMissing: true };
  return { ...exchange, request, response };
}

let queue = Promise.resolve();
parentPort?.on('message', (told: Copy | 'report') => {
  queue = queue.then(async () => {
    const said: Said =
      told === 'report' ? { report: reportOf(members, protocol, options) } : await take(told);
    parentPort?.postMessage(said);
  });
});
