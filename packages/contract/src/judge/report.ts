import { type OperationId, operationTable } from '@speech-api/types';
import type { Exchange, Source } from '../exchange.ts';
import { operations } from '../specification/document.ts';
import type { Severity } from '../specification/rules.ts';
import { isSuccess, mediaTypeOf, operationIdOf } from '../subjects/answer.ts';
import type { Circumstance } from './circumstances.ts';

/** The judge's report. */
export interface Report {
  readonly tool: { readonly name: string; readonly version: string };
  /** The version of `@speech-api/spec` used for judging. */
  readonly specification: { readonly version: string };
  /** Errors first, then warnings, then drift; each in the order of the exchanges. */
  readonly findings: readonly Finding[];
  /** Reasons why calls could not be judged: no credit, no permission, a rate limit, late answers, an operation without a success. */
  readonly circumstances: readonly Circumstance[];
  readonly coverage: Coverage;
  /** Every exchange by name. */
  readonly exchanges: readonly JudgedExchange[];
}

export interface JudgedExchange {
  readonly name: string;
  readonly operationId?: string;
  readonly status: number;
}

/** One violation of the contract. */
export interface Finding {
  /** The id of a rule of the spec. */
  readonly rule: string;
  readonly severity: Severity;
  /** The fault and the correct behaviour in one sentence. */
  readonly message: string;
  /** Undefined if the request belongs to no operation. */
  readonly operationId?: OperationId;
  /** JSON pointer (`/items/0/state`), `byte 1204`, `event 3 /alignment`, `header content-type` or `message 2`. */
  readonly where?: string;
  readonly expected?: string;
  readonly actual?: string;
  /** The name of the exchange. */
  readonly exchange: string;
  /** The status of its answer; 0 when there was none. */
  readonly status: number;
  /** The media type in which its request was written, if it had a body. */
  readonly encoding?: string;
  /** The section of the interface the rule comes from. */
  readonly section: string;
  /** A shell command that repeats the request; the key is `$SPEECH_API_KEY`. Undefined if a shell cannot. */
  readonly curl?: string;
  /** Place of the recording, if the exchange comes from a file. */
  readonly source?: Source;
  /** True if the finding is in the baseline, so that it does not count. */
  readonly known?: boolean;
}

export interface JudgeOptions {
  /** True if the server gives the same audio for the same request, like the sandbox and the mock. @defaultValue false */
  readonly deterministic?: boolean | undefined;
  /**
   * `stateless` judges each answer alone: no rule depends on what an earlier request has changed.
   * @defaultValue 'full'
   */
  readonly profile?: Profile;
  /** Violations that are known and do not count. */
  readonly baseline?: Baseline | undefined;
  /** The operations to judge; coverage counts these only. Empty or undefined means all. */
  readonly operations?: readonly OperationId[] | undefined;
  /** Operations that are not judged. */
  readonly except?: readonly OperationId[] | undefined;
}

export type Profile = 'full' | 'stateless';

/** Conditions under which a check fails. */
export interface Strictness {
  /** The lowest severity that fails the check. @defaultValue 'error' */
  readonly failOn?: Severity;
  /** Fail where something the spec documents was not seen. @defaultValue false */
  readonly requireFull?: boolean;
}

/** 0: the contract is kept. 1: it is broken. 2: it was not judged, or a called operation never succeeded. */
export function exitCodeOf(
  report: Report,
  { failOn = 'error', requireFull = false }: Strictness = {},
): 0 | 1 | 2 {
  if (report.findings.some((finding) => counts(finding, failOn))) return 1;
  if (report.circumstances.length > 0 || report.exchanges.length === 0 || report.coverage.cells.length === 0)
    return 2;
  if (requireFull && report.coverage.uncovered.length > 0) return 1;
  return neverAnswered(report).length > 0 ? 2 : 0;
}

/** The operations that were called with correct requests and never succeeded. */
export function neverAnswered({ findings }: Pick<Report, 'findings'>): readonly string[] {
  return findings
    .filter(({ rule, known }) => rule === 'operation-answered' && known !== true)
    .flatMap(({ operationId }) => operationId ?? []);
}

/** Severities, the most serious first. */
const severities: readonly Severity[] = ['error', 'warning', 'drift'];

/** True if a finding makes a check fail. */
export function counts({ severity, known }: Finding, failOn: Severity = 'error'): boolean {
  return known !== true && severities.indexOf(severity) <= severities.indexOf(failOn);
}

/** Quantities that a server may bill. */
export interface Cost {
  readonly calls: number;
  /** Unicode code points of text to speak. */
  readonly characters: number;
  /** Seconds of audio to transcribe. */
  readonly audioSeconds: number;
}

/** Summary of a run: what was sent, what was not, and what is left on the server. */
export interface RunSummary {
  /** Total sent, clean-up included; characters and seconds as a correct server would bill them. */
  readonly spent: Cost;
  /** Seconds waited at the server's request, and the number of calls that were then sent again. */
  readonly waited: { readonly seconds: number; readonly calls: number };
  readonly milliseconds: number;
  /** Number of calls that were made, and number of calls in all scenarios of the judge. */
  readonly calls: { readonly tried: number; readonly known: number };
  /** Scenarios that were not begun. */
  readonly leftOut: readonly { readonly scenario: string; readonly about: string; readonly reason: string }[];
  /** Single steps that could not be made. */
  readonly skipped: readonly { readonly step: string; readonly reason: string }[];
  /** Resources that the run made on the server and could not delete. Empty when all is clean. */
  readonly leftBehind: readonly string[];
  /** True if the run was interrupted. */
  readonly interrupted: boolean;
}

/** Known violations. A finding that it lists is reported as known and does not count. */
export interface Baseline {
  readonly version: 1;
  readonly known: readonly KnownViolation[];
}

/**
 * Matches findings of the same rule, call name, encoding, answer status and place.
 * The numbers in a place (`/items/3`) do not matter, nor does the value that was found there. Anything else is new.
 */
export interface KnownViolation {
  readonly rule: string;
  readonly operationId?: string;
  readonly where?: string;
  /** The name of the call, as a report prints it. */
  readonly exchange: string;
  readonly encoding?: string;
  readonly status: number;
  /** The user's reason for accepting it. */
  readonly reason?: string;
}

/** True if a finding is in the baseline. */
export function isKnown(finding: Finding, baseline: Baseline | undefined): boolean {
  return baseline?.known.some((entry) => keyOf(entry) === keyOf(finding)) ?? false;
}

/**
 * The baseline of a report: everything that is found in it, once.
 *
 * @param before whose reasons are kept where they are still about something
 */
export function baselineOf(report: Report, before?: Baseline): Baseline {
  const previous = new Map(before?.known.map((entry) => [keyOf(entry), entry]));
  const entries = new Map<string, KnownViolation>();
  for (const finding of report.findings) {
    const { rule, operationId, where, encoding, status } = finding;
    const { reason } = previous.get(keyOf(finding)) ?? {};
    entries.set(keyOf(finding), {
      rule,
      ...(operationId !== undefined && { operationId }),
      ...(where !== undefined && { where: placeOf(where) }),
      exchange: callOf(finding),
      ...(encoding !== undefined && { encoding }),
      status,
      ...(reason !== undefined && { reason }),
    });
  }
  return { version: 1, known: [...entries.values()] };
}

/** Entries that match no finding, because the violation has been fixed. */
export function unusedEntries(baseline: Baseline, report: Report): readonly KnownViolation[] {
  const keys = new Set(report.findings.map(keyOf));
  return baseline.known.filter((entry) => !keys.has(keyOf(entry)));
}

function keyOf(violation: Omit<KnownViolation, 'reason'>): string {
  const { rule, operationId = '', where = '', encoding = '', status } = violation;
  return JSON.stringify([rule, operationId, placeOf(where), callOf(violation), encoding, status]);
}

/** The name of a call without its place in the recording, which is another in each recording. */
function callOf({ exchange }: Pick<KnownViolation, 'exchange'>): string {
  return exchange.replace(/, entry \d+: /, ': ');
}

/** The place without its numbers: list items and events vary from run to run. */
function placeOf(where: string): string {
  return where.replace(/\d+/g, '*');
}

/** The judged parts of the spec and the gaps between them. */
export interface Coverage {
  readonly cells: readonly CoverageCell[];
  /** Parts of the spec that no exchange has shown. Empty means full coverage. */
  readonly uncovered: readonly Uncovered[];
}

/** One operation, status and media type, with the rules that were judged there. */
export interface CoverageCell {
  readonly operationId: OperationId;
  readonly status: number;
  /** Media type of the answer; empty if it had no body. */
  readonly mediaType: string;
  readonly exchanges: number;
  /** Counts by rule id. */
  readonly rules: Readonly<Record<string, { readonly kept: number; readonly broken: number }>>;
}

/** A gap: an operation, or a media type of its requests or of its successful answers. */
export interface Uncovered {
  readonly operationId: OperationId;
  readonly what: 'operation' | 'request-media-type' | 'response-media-type';
  readonly mediaType?: string;
}

/** Parts of the spec that no exchange shows: a success of each operation, in each media type both ways. */
export function findUncovered(
  exchanges: readonly Exchange[],
  { operations: only = [], except = [] }: JudgeOptions,
): readonly Uncovered[] {
  const isJudged = (id: OperationId) => (only.length === 0 || only.includes(id)) && !except.includes(id);
  const seen = new Set(exchanges.flatMap(shown));
  return [...operations().keys()].filter(isJudged).flatMap((operationId): readonly Uncovered[] => {
    // If the operation is missing, everything about it is, so it is listed once.
    if (!seen.has(operationId)) return [{ operationId, what: 'operation' }];
    const { requestMediaTypes, responseMediaTypes } = operationTable[operationId];
    return [
      ...missing(seen, operationId, 'request-media-type', requestMediaTypes),
      ...missing(seen, operationId, 'response-media-type', responseMediaTypes),
    ];
  });
}

/** The media types of an operation that no exchange has shown. */
function missing(
  seen: ReadonlySet<string>,
  operationId: OperationId,
  what: 'request-media-type' | 'response-media-type',
  types: readonly string[],
): readonly Uncovered[] {
  return types
    .filter((mediaType) => !seen.has(`${operationId} ${what} ${mediaType}`))
    .map((mediaType) => ({ operationId, what, mediaType }));
}

/** The parts of the spec that one exchange shows, if it succeeded. */
function shown(exchange: Exchange): readonly string[] {
  if (exchange.kind === 'live') {
    // A server that opens the socket and then stays silent has proved nothing.
    const isAnswered = (exchange.unanswered ?? []).length === 0;
    return exchange.upgrade.response.status === 101 && isAnswered ? [exchange.operationId] : [];
  }
  const { request, response } = exchange;
  const id = operationIdOf(exchange);
  if (id === undefined || !isSuccess(response.status)) return [];
  return [
    id,
    `${id} request-media-type ${mediaTypeOf(request.headers['content-type'])}`,
    `${id} response-media-type ${mediaTypeOf(response.headers['content-type'])}`,
  ];
}
