import { isDeepStrictEqual } from 'node:util';
import { type CreateModelRequest, limits, type OperationId } from '@speech-api/types';
import { type DecodedBody, decodeBody } from '../decode/body.ts';
import { type DecodeLimits, defaultDecodeLimits } from '../decode/failure.ts';
import { type Check, checkInOrder, Refusal, type ValidationIssue } from '../refuse/refusal.ts';
import { type Operation, readOperations } from '../spec/operations.ts';
import { loadTolerances } from '../spec/tolerances.ts';
import { skippedRules, tolerate } from '../tolerate.ts';
import { refuseBrokenModelRule } from '../validate/model-rules.ts';
import { findBrokenRule } from '../validate/rules.ts';
import { createValidator, shapeForm, type Validator } from '../validate/validator.ts';
import { issuesOf, readFileNames, readQuery, refuseIssues, refuseUndecodable } from './request.ts';

/** What a server accepts. */
export interface ReceiverOptions {
  /** Accepts the tolerances of the spec. @defaultValue false */
  readonly lenient?: boolean;
  readonly limits?: Partial<DecodeLimits>;
}

/** What every request is checked against. */
export interface Standards {
  readonly validator: Validator;
  readonly operations: readonly Operation[];
  readonly limits: DecodeLimits;
  readonly lenient: boolean;
  /** Tolerances whose rules a lenient server skips. */
  readonly skippedRules: ReadonlySet<string>;
}

/** @throws Error when the package is incomplete */
export function createStandards({ lenient = false, limits: given }: ReceiverOptions): Standards {
  const validator = createValidator();
  // Read even when strict, for the words of its messages: an incomplete package must fail at startup.
  const tolerances = loadTolerances();
  return {
    validator,
    operations: readOperations(validator.document),
    limits: { ...defaultDecodeLimits, ...given },
    lenient,
    skippedRules: lenient ? skippedRules(tolerances) : new Set(),
  };
}

/** A request whose body has come: plain data, so that another thread can judge it. */
export interface ReadRequest {
  readonly operationId: OperationId;
  readonly path: Readonly<Record<string, string>>;
  readonly queryText: string;
  /** Header parameters of the operation, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent when there is no body. */
  readonly mediaType?: string;
  /** The whole header, for its boundary. */
  readonly contentType: string;
  /** The body, in the pieces in which it came. */
  readonly chunks: readonly Uint8Array[];
}

/** A request that the spec allows, as values. */
export interface JudgedRequest {
  readonly query: Readonly<Record<string, unknown>>;
  /** The header parameters of the operation, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** `undefined` when there was none. Binary fields are `Uint8Array`. */
  readonly body: unknown;
  /** The names senders gave to the files of a form, by field and in the order of arrival; empty where they gave none. */
  readonly fileNames: ReadonlyMap<string, readonly string[]>;
  /** What a strict server would have refused and this lenient one has let pass; empty when strict. */
  readonly tolerated: readonly ValidationIssue[];
}

/** A request on its way through the checks: each one finds what those before it have learned. */
interface JudgeState {
  readonly standards: Standards;
  readonly request: ReadRequest;
  readonly operation: Operation;
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  /** The body as it was written. */
  body?: DecodedBody;
  /** The body as values; once the schema holds, binary fields are bytes. */
  value: unknown;
  tolerated: readonly ValidationIssue[];
}

/** The checks of what has been read, by the id of the refusal they may throw, in the order of the spec's refusals. */
export const judgeChecks: readonly (readonly [
  refusal: string,
  check: (state: JudgeState) => void | Promise<void>,
])[] = [
  ['file-too-large', checkFileSize],
  ['malformed-body', decode],
  ['schema', checkSchema],
  ['rule', (state) => refuseBrokenRule(state, 'rule')],
  ['text-too-long', (state) => refuseBrokenRule(state, 'text-too-long')],
  ['model-rule', checkModelRules],
];

/**
 * Decodes a request and judges it, in the order of the spec's refusals.
 *
 * @throws Refusal for the first check that fails
 */
export async function judgeRequest(request: ReadRequest, standards: Standards): Promise<JudgedRequest> {
  const operation = standards.operations.find((each) => each.id === request.operationId);
  if (operation === undefined) throw new Error(`The spec has no operation ${request.operationId}.`);
  const { headers } = request;
  const state: JudgeState = {
    standards,
    request,
    operation,
    headers,
    query: {},
    value: undefined,
    tolerated: [],
  };
  const checks: Record<string, Check> = {};
  for (const [id, check] of judgeChecks) checks[id] = () => refuseUndecodable(() => check(state), operation);
  await checkInOrder(checks, () => operation.id);
  return {
    query: state.query,
    headers: state.headers,
    body: state.value,
    fileNames: readFileNames(state.body),
    tolerated: state.tolerated,
  };
}

/** Section 8: a file of 20 MB, refused only above the larger reading of the unit. */
async function checkFileSize(state: JudgeState): Promise<void> {
  if (state.operation.id !== 'createTranscription') return;
  // A body that cannot be decoded has no file; the next check says why it cannot.
  await decode(state).catch(() => {});
  const { value } = state;
  const audio = typeof value === 'object' && value !== null && 'audio' in value ? value.audio : undefined;
  const maximum = limits.transcriptionFileBytesRefusedAbove;
  const largest = [audio].flat().find((each) => each instanceof Uint8Array && each.length > maximum);
  if (!(largest instanceof Uint8Array)) return;
  const message = `\`audio\` is ${largest.length} bytes; the limit is 20 MB (${maximum} bytes). Split the recording.`;
  throw new Refusal('file-too-large', { message });
}

async function decode(state: JudgeState): Promise<void> {
  const { operation, request, standards } = state;
  const { mediaType, chunks, contentType } = request;
  if (mediaType === undefined || state.body !== undefined) return;
  state.body = await decodeBody(Buffer.concat(chunks), mediaType, contentType, standards.limits);
  state.value = standards.validator.shapeBody(operation, mediaType, state.body);
}

function checkSchema(state: JudgeState): void {
  const { operation, standards, request } = state;
  const { validator, limits: decodeLimits } = standards;
  const querySchema = validator.parametersSchema(operation, 'query');
  const entries = readQuery(request.queryText, operation, decodeLimits);
  state.query = shapeForm(validator.document, querySchema, entries);
  if (standards.lenient) loosen(state);
  refuseIssues('schema', judge(state));
}

/** Normalises what the spec's tolerances list; where they change something, notes what a strict server would refuse. */
function loosen(state: JudgeState): void {
  const { operation, request } = state;
  const { validator } = state.standards;
  const given = { headers: state.headers, query: state.query, body: state.value };
  const loosened = tolerate(given, {
    document: validator.document,
    querySchema: validator.parametersSchema(operation, 'query'),
    bodySchema: request.mediaType === undefined ? undefined : operation.bodies[request.mediaType],
    headerNames: operation.parameters.filter((each) => each.in === 'header').map((each) => each.name),
  });
  if (isDeepStrictEqual(loosened, given)) return;
  state.tolerated = judge(state);
  state.headers = loosened.headers;
  state.query = loosened.query;
  state.value = loosened.body;
}

/** Judges the request as it is by now; binary fields of a good body become bytes. */
function judge(state: JudgeState): ValidationIssue[] {
  const { operation, request, headers, query, body } = state;
  const { validator } = state.standards;
  const issues = [
    ...issuesOf(operation, 'path', validator.validateParameters(operation, 'path', request.path)),
    ...issuesOf(operation, 'header', validator.validateParameters(operation, 'header', headers)),
    ...issuesOf(operation, 'query', validator.validateParameters(operation, 'query', query)),
  ];
  if (request.mediaType === undefined || body === undefined) return issues;
  const validated = validator.validateBody(operation, request.mediaType, state.value, body.encoding);
  if (validated.valid) state.value = validated.value;
  return [...issues, ...issuesOf(operation, 'body', validated)];
}

function refuseBrokenRule(
  { operation, request, value, headers, standards }: JudgeState,
  refusal: string,
): void {
  if (request.mediaType === undefined) return;
  const subject = { body: value, model: headers.model, operationId: operation.id };
  const broken = findBrokenRule(subject, standards.skippedRules);
  if (broken && (broken.rule.refusal ?? 'rule') === refusal) {
    throw new Refusal(refusal, { message: broken.message });
  }
}

function checkModelRules({ operation, value }: JudgeState): void {
  if (operation.id === 'createModel') refuseBrokenModelRule(value as CreateModelRequest);
}
