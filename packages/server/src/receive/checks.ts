import { type CreateModelRequest, limits } from '@speech-api/types';
import { chooseMediaType, type DecodedBody, decodeBody, readBody } from '../decode/body.ts';
import type { DecodeLimits } from '../decode/failure.ts';
import { Refusal, type ValidationIssue } from '../refuse/refusal.ts';
import type { Operation } from '../spec/operations.ts';
import { tolerate } from '../tolerate.ts';
import { refuseBrokenModelRule } from '../validate/model-rules.ts';
import { findBrokenRule } from '../validate/rules.ts';
import { shapeForm, type Validator } from '../validate/validator.ts';
import { type IncomingRequest, issuesOf, readQuery, refuseIssues, takesBody } from './request.ts';
import { describeUnknownPath, type Route } from './router.ts';

/** What every request is checked against. */
export interface Standards {
  readonly validator: Validator;
  readonly operations: readonly Operation[];
  readonly limits: DecodeLimits;
  readonly lenient: boolean;
  /** Tolerances whose rules a lenient server skips. */
  readonly skippedRules: ReadonlySet<string>;
}

/** A request on its way through the checks: each one finds what those before it have learned. */
export interface RequestState {
  readonly standards: Standards;
  readonly request: IncomingRequest;
  readonly route: Route;
  /** Absent when the path or the method is unknown. */
  readonly operation: Operation | undefined;
  readonly path: string;
  readonly queryText: string;
  /** Called when the body is about to be read. */
  readonly beforeBody: (() => void) | undefined;
  /** Header parameters of the operation, by lower-case name. */
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, unknown>>;
  /** Absent when there is no body to read. */
  mediaType?: string;
  bytes: Uint8Array;
  /** The body as it was written. */
  body?: DecodedBody;
  /** The body as values; once the schema holds, binary fields are bytes. */
  value: unknown;
  tolerated: readonly ValidationIssue[];
}

/** Throws a `Refusal` or a `DecodeFailure`, or lets the request pass. */
export type RequestCheck = (state: RequestState) => void | Promise<void>;

/** The checks that need nothing but the spec, by the id of the refusal they may throw, in the order of the spec's refusals. */
export const requestChecks: readonly (readonly [refusal: string, check: RequestCheck])[] = [
  ['unknown-path', checkPath],
  ['unknown-method', checkMethod],
  ['media-type', checkMediaType],
  ['body-too-large', readWholeBody],
  ['file-too-large', checkFileSize],
  ['malformed-body', decode],
  ['schema', checkSchema],
  ['rule', checkRules],
  ['text-too-long', checkTextLength],
  ['model-rule', checkModelRules],
];

function checkPath({ route, path, standards }: RequestState): void {
  if (route.kind !== 'unknown-path') return;
  throw new Refusal('unknown-path', { message: describeUnknownPath(path, standards.operations) });
}

function checkMethod({ route, request, path }: RequestState): void {
  if (route.kind !== 'unknown-method') return;
  const allow = route.allow.join(', ');
  const message = `${path} does not take ${request.method}; use ${allow}.`;
  throw new Refusal('unknown-method', { message, headers: { allow } });
}

function checkMediaType(state: RequestState): void {
  const { operation, request } = state;
  if (operation === undefined || !takesBody(operation, request)) return;
  const { 'content-type': header, 'content-encoding': coding } = request.headers;
  state.mediaType = chooseMediaType(header, Object.keys(operation.bodies), coding);
}

async function readWholeBody(state: RequestState): Promise<void> {
  if (state.mediaType === undefined) return;
  const { bodyBytes } = state.standards.limits;
  if (Number(state.request.headers['content-length'] ?? 0) <= bodyBytes) state.beforeBody?.();
  state.bytes = await readBody(state.request, bodyBytes);
}

/** Section 8: a file of 20 MB, refused only above the larger reading of the unit. */
async function checkFileSize(state: RequestState): Promise<void> {
  if (state.operation?.id !== 'createTranscription') return;
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

async function decode(state: RequestState): Promise<void> {
  const { operation, mediaType, request, standards } = state;
  if (mediaType === undefined || operation === undefined || state.body !== undefined) return;
  const contentType = request.headers['content-type'] ?? '';
  state.body = await decodeBody(state.bytes, mediaType, contentType, standards.limits);
  state.value = standards.validator.shapeBody(operation, mediaType, state.body);
}

function checkSchema(state: RequestState): void {
  const { operation, standards, queryText } = state;
  if (operation === undefined) return;
  const { validator, limits: decodeLimits } = standards;
  const querySchema = validator.parametersSchema(operation, 'query');
  state.query = shapeForm(validator.document, querySchema, readQuery(queryText, operation, decodeLimits));
  if (standards.lenient) loosen(state, operation);
  refuseIssues('schema', judge(state, operation));
}

/** Notes what a strict server would refuse, and normalises what the spec's tolerances list. */
function loosen(state: RequestState, operation: Operation): void {
  const { validator } = state.standards;
  // The judge turns base64 into bytes in place, and a second one would not know them for base64.
  const given = state.body?.encoding === 'json' ? structuredClone(state.value) : state.value;
  state.tolerated = judge(state, operation);
  const loosened = tolerate(
    { headers: state.headers, query: state.query, body: given },
    {
      document: validator.document,
      querySchema: validator.parametersSchema(operation, 'query'),
      bodySchema: state.mediaType === undefined ? undefined : operation.bodies[state.mediaType],
      headerNames: operation.parameters.filter((each) => each.in === 'header').map((each) => each.name),
    },
  );
  state.headers = loosened.headers;
  state.query = loosened.query;
  state.value = loosened.body;
}

/** Judges the request as it is by now; binary fields of a good body become bytes. */
function judge(state: RequestState, operation: Operation): ValidationIssue[] {
  const { route, headers, query, mediaType, body } = state;
  const { validator } = state.standards;
  const pathParameters = route.kind === 'operation' ? route.pathParameters : {};
  const issues = [
    ...issuesOf(operation, 'path', validator.validateParameters(operation, 'path', pathParameters)),
    ...issuesOf(operation, 'header', validator.validateParameters(operation, 'header', headers)),
    ...issuesOf(operation, 'query', validator.validateParameters(operation, 'query', query)),
  ];
  if (mediaType === undefined || body === undefined) return issues;
  const validated = validator.validateBody(operation, mediaType, state.value, body.encoding);
  if (validated.valid) state.value = validated.value;
  return [...issues, ...issuesOf(operation, 'body', validated)];
}

function checkRules(state: RequestState): void {
  refuseBrokenRule(state, 'rule');
}

function checkTextLength(state: RequestState): void {
  refuseBrokenRule(state, 'text-too-long');
}

function refuseBrokenRule(
  { operation, mediaType, value, headers, standards }: RequestState,
  refusal: string,
): void {
  if (operation === undefined || mediaType === undefined) return;
  const subject = { body: value, model: headers.model, operationId: operation.id };
  const broken = findBrokenRule(subject, standards.skippedRules);
  if (broken && (broken.rule.refusal ?? 'rule') === refusal) {
    throw new Refusal(refusal, { message: broken.message });
  }
}

function checkModelRules({ operation, value }: RequestState): void {
  if (operation?.id === 'createModel') refuseBrokenModelRule(value as CreateModelRequest);
}
