import { isDeepStrictEqual } from 'node:util';
import { type CreateModelRequest, createModelDefaults, defaultModel, limits } from '@speech-api/types';
import { serverRules } from '@speech-api/types/request-rules';
import {
  type Checks,
  checkInOrder,
  maximumIssues,
  Refusal,
  type RefusalDetails,
  type ValidationIssue,
} from './answer.ts';
import {
  chooseMediaType,
  type DecodedBody,
  decodeBody,
  decodeUrlEncoded,
  type FormEntry,
  readBody,
} from './decode.ts';
import type { DescribedError, RequestPart } from './describe.ts';
import {
  createRouter,
  describeUnknownPath,
  type Operation,
  type Route,
  readOperations,
} from './operations.ts';
import { isBytes, isObject, type JsonObject, type Schema } from './schema.ts';
import { type LooseRequest, tolerate, withFewUnknown } from './tolerate.ts';
import { createValidator, type Encoding, shapeForm, type Validator } from './validator.ts';
import { clip, show } from './words.ts';

export interface IncomingRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Fields by lower-case name; the values of a repeated one are joined by commas. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Nothing of the body is read before the head is accepted. */
  readonly body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A request that the spec allows: routed, decoded, checked. */
export interface ReceivedCall {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The header parameters of the operation, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decoded body; undefined if there was none. Binary fields are `Uint8Array`. */
  readonly body: unknown;
  /** The names senders gave to the files of a form, by field and in the order of arrival; empty where they gave none. */
  readonly fileNames: ReadonlyMap<string, readonly string[]>;
  /** Issues that a strict server would have refused and this lenient one accepted; empty if strict. */
  readonly tolerated: readonly ValidationIssue[];
}

/** A server's own checks of a request's head by the id of their refusal: `foreign-host`, `concurrency` and so on. */
export type ServerChecks = Readonly<Record<string, (operation: Operation | undefined) => void>>;

export interface Receiver {
  /** Routes, decodes and checks a request. @throws Refusal for the first check that fails, in the order of the spec */
  receive(request: IncomingRequest, checks: ServerChecks): Promise<ReceivedCall>;
}

export function createReceiver(options: ReceiverOptions = {}): Receiver {
  const standards = createStandards(options);
  const findRoute = createRouter(standards.operations);
  return {
    async receive(request, serverChecks) {
      const [path = '/'] = request.url.split('?');
      const reception = new Reception(request, findRoute(request.method, path), standards);
      const { operation } = reception;
      const checks = { ...reception.checks };
      for (const [id, check] of Object.entries(serverChecks)) checks[id] = () => check(operation);
      try {
        await checkInOrder(checks, operation?.id);
      } catch (error) {
        throw error instanceof Refusal && operation?.issuesNamePart ? namingParts(error) : error;
      }
      if (reception.call === undefined) throw new Error('The order of refusals has no check of the schema.');
      return reception.call;
    },
  };
}

/** One request, from its head to its checked values. Each check uses what the checks before it have found out. */
class Reception {
  /** Undefined if there is none of this method and path. */
  readonly operation: Operation | undefined;
  /** The whole request, once its values are checked. */
  call: ReceivedCall | undefined;
  /** The checks by the ids of their refusals; the spec gives their order, which is also that of the methods here. */
  readonly checks: Checks = {
    'unknown-path': () => this.#checkPath(),
    'unknown-method': () => this.#checkMethod(),
    'media-type': () => this.#checkMediaType(),
    'body-too-large': () => this.#readBody(),
    'file-too-large': () => refuseLargeFile(this.#decoded.body),
    'text-too-long': () => this.#checkTextLength(),
    'malformed-body': () => this.#checkDecoding(),
    schema: () => this.#checkSchemas(),
    rule: () => this.#checkRules(),
    'model-rule': () => this.#checkModelRules(),
  };
  readonly #request: IncomingRequest;
  readonly #path: string;
  readonly #query: string;
  readonly #route: Route;
  readonly #standards: Standards;
  /** Undefined if no body is to be read. */
  #mediaType: string | undefined;
  #decoded: DecodedRequest = withoutBody;
  /** Why the body could not be decoded. Other checks come before this is told. */
  #malformed: Refusal | undefined;

  constructor(request: IncomingRequest, route: Route, standards: Standards) {
    const [path = '/', ...queryParts] = request.url.split('?');
    this.#request = request;
    this.#path = path;
    this.#query = queryParts.join('?');
    this.#route = route;
    this.#standards = standards;
    this.operation = route.kind === 'operation' ? route.operation : undefined;
  }

  #checkPath(): void {
    if (this.#route.kind !== 'unknown-path') return;
    const message = describeUnknownPath(this.#path, this.#standards.operations);
    throw new Refusal('unknown-path', { message });
  }

  #checkMethod(): void {
    if (this.#route.kind !== 'unknown-method') return;
    const allow = this.#route.allow.join(', ');
    const message = `${show(this.#path)} does not take ${this.#request.method}; use ${allow}.`;
    throw new Refusal('unknown-method', { message, headers: { allow } });
  }

  #checkMediaType(): void {
    if (this.operation === undefined || !takesBody(this.operation, this.#request)) return;
    const { 'content-type': contentType, 'content-encoding': coding } = this.#request.headers;
    this.#mediaType = chooseMediaType(contentType, Object.keys(this.operation.bodies), coding);
  }

  async #readBody(): Promise<void> {
    if (this.operation === undefined || this.#mediaType === undefined) return;
    const bytes = await readBody(this.#request);
    const contentType = this.#request.headers['content-type'] ?? '';
    try {
      const decoded = await decodeBody(bytes, this.#mediaType, contentType);
      this.#decoded = shapeBody(decoded, this.operation.bodies[this.#mediaType] ?? {}, this.#standards);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#malformed = error;
    }
  }

  #checkTextLength(): void {
    const { body } = this.#decoded;
    if (this.operation === undefined || !isObject(body) || typeof body.text !== 'string') return;
    const context = { model: undefined, operationId: this.operation.id, refusal: 'text-too-long' };
    refuseBrokenRule({ text: body.text }, context, this.#standards);
  }

  #checkDecoding(): void {
    if (this.#malformed !== undefined) throw this.#malformed;
  }

  #checkSchemas(): void {
    if (this.#route.kind !== 'operation') return;
    const { operation, pathParameters: path } = this.#route;
    const { body, schema, encoding, fileNames } = this.#decoded;
    const query = readQuery(this.#query, operation, this.#standards);
    const values = { headers: readHeaders(this.#request, operation), query, body };
    const place = { parameters: operation.parameters, path, schema, encoding };
    this.call = { operation, path, fileNames, ...checkValues(values, place, this.#standards) };
  }

  #checkRules(): void {
    if (this.call === undefined || !isObject(this.call.body)) return;
    const context = { model: this.call.headers.model, operationId: this.call.operation.id };
    refuseBrokenRule(this.call.body, context, this.#standards);
  }

  #checkModelRules(): void {
    if (this.operation?.id === 'createModel') refuseBrokenModelRule(this.call?.body as CreateModelRequest);
  }
}

interface DecodedRequest {
  readonly body: unknown;
  readonly encoding: Encoding;
  readonly schema?: Schema | undefined;
  readonly fileNames: ReceivedCall['fileNames'];
}

const withoutBody: DecodedRequest = { body: undefined, encoding: 'json', fileNames: new Map() };

/** Gives the entries of a form the types of its schema. */
function shapeBody(decoded: DecodedBody, schema: Schema, { validator }: Standards): DecodedRequest {
  if (decoded.encoding !== 'form') {
    return { body: decoded.value, encoding: decoded.encoding, schema, fileNames: new Map() };
  }
  const body = shapeForm(validator.document, schema, decoded.entries);
  return { body, encoding: 'form', schema, fileNames: fileNamesOf(decoded.entries) };
}

function fileNamesOf(entries: readonly FormEntry[]): ReceivedCall['fileNames'] {
  const files = new Map<string, string[]>();
  for (const { name, value } of entries) {
    if (typeof value !== 'string') files.set(name, [...(files.get(name) ?? []), value.fileName]);
  }
  return files;
}

/** @throws Refusal `file-too-large`: a file of 20 MB, refused only above the larger reading of the unit */
function refuseLargeFile(body: unknown): void {
  const limit = limits.transcriptionFileBytesRefusedAbove;
  const audio = isObject(body) ? body.audio : undefined;
  if (!isBytes(audio) || audio.length <= limit) return;
  const message = `\`audio\` is larger than 20 MB (${limit} bytes). Split the recording.`;
  throw new Refusal('file-too-large', { message });
}

/** The same refusal, with validation entries that name the part of the request. */
function namingParts(refusal: Refusal): Refusal {
  const { entry, message, headers, lenientAccepts, cause } = refusal;
  const issues = refusal.issues.map((issue) => ({ ...issue, in: issue.loc[0] ?? '' }));
  return new Refusal(entry.id, { message, issues, headers, lenientAccepts, cause });
}

/** True if a body should be read: the operation has one, and it is required or present. */
function takesBody(operation: Operation, request: IncomingRequest): boolean {
  if (Object.keys(operation.bodies).length === 0) return false;
  const { 'content-length': length, 'transfer-encoding': coding, 'content-type': type } = request.headers;
  const hasBody = coding !== undefined || (length !== undefined && length !== '0') || type !== undefined;
  return operation.bodyRequired || hasBody;
}

function readHeaders({ headers }: IncomingRequest, { parameters }: Operation): Record<string, string> {
  const names = Object.keys(parameters.header.properties ?? {}).filter((name) => headers[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, headers[name] ?? '']));
}

/** @throws Refusal `schema` for a query of too many fields */
function readQuery(
  text: string,
  { parameters }: Operation,
  { validator }: Standards,
): Record<string, unknown> {
  try {
    return shapeForm(validator.document, parameters.query, decodeUrlEncoded(text));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const issues = error.issues.map((issue) => ({ ...issue, loc: ['query'] }));
    throw new Refusal('schema', { message: error.message, issues });
  }
}

export interface ReceiverOptions {
  /** Accepts the tolerances of the spec. @defaultValue false */
  readonly lenient?: boolean;
}

export interface Standards {
  readonly validator: Validator;
  readonly operations: readonly Operation[];
  readonly lenient: boolean;
}

export function createStandards({ lenient = false }: ReceiverOptions): Standards {
  const validator = createValidator();
  return { validator, operations: readOperations(validator.document), lenient };
}

export interface CheckedPlace {
  readonly parameters: Operation['parameters'];
  readonly path: Readonly<Record<string, string>>;
  readonly schema?: Schema | undefined;
  readonly encoding: Encoding;
}

/** Values that are valid, and the issues that only a strict server would have refused. */
export type CheckedRequest = LooseRequest & { readonly tolerated: readonly ValidationIssue[] };

/** Checks values by their schemas; a lenient server normalises them before. @throws Refusal `schema` */
export function checkValues(
  { headers, query, body: wholeBody }: LooseRequest,
  { parameters, path, schema, encoding }: CheckedPlace,
  { validator, lenient }: Standards,
): CheckedRequest {
  const issuesIn = ({ headers, query, body }: LooseRequest): readonly ValidationIssue[] => [
    ...issuesOf('path', validator.validate(parameters.path, path, 'form', 'path')),
    ...issuesOf('header', validator.validate(parameters.header, headers, 'form', 'header')),
    ...issuesOf('query', validator.validate(parameters.query, query, 'form', 'query')),
    ...(schema === undefined ? [] : issuesOf('body', validator.validate(schema, body, encoding))),
  ];
  const { document } = validator;
  const body = schema && withFewUnknown(document, schema, wholeBody);
  const request = { headers, query, body };
  const normalise = () => tolerate(request, { document, parameters, bodySchema: schema });
  if (!lenient) {
    const issues = issuesIn(request);
    refuseIssues(issues, { lenientAccepts: issues.length > 0 && issuesIn(normalise()).length === 0 });
    return { ...request, tolerated: [] };
  }
  const loose = normalise();
  refuseIssues(issuesIn(loose));
  // If the tolerances change the request, the issues of a strict server are noted.
  return { ...loose, tolerated: isDeepStrictEqual(loose, request) ? [] : issuesIn(request) };
}

/** The entries of the validation list for one part of a request. */
export function issuesOf(part: RequestPart, errors: readonly DescribedError[]): ValidationIssue[] {
  return errors.map(({ path, type, message, context }) => ({
    // A name may have megabytes; an answer must not.
    loc: [part, ...path.map(clip)],
    type,
    msg: message,
    ctx: context,
  }));
}

export function refuseIssues(
  issues: readonly ValidationIssue[],
  { lenientAccepts = false }: Pick<RefusalDetails, 'lenientAccepts'> = {},
): void {
  const [first] = issues;
  if (first === undefined) return;
  throw new Refusal('schema', { message: first.msg, issues: issues.slice(0, maximumIssues), lenientAccepts });
}

export interface RuleContext {
  readonly model: string | undefined;
  /** The id of the operation, because some rules apply to some operations only. */
  readonly operationId: string;
  /** Checks only by the rules with this refusal. @defaultValue all rules */
  readonly refusal?: string;
}

/** Checks the rules between the fields of a body. @throws Refusal of the first that is broken: `rule` or `text-too-long` */
export function refuseBrokenRule(
  body: JsonObject,
  { model = defaultModel, operationId, refusal }: RuleContext,
  { lenient }: Pick<Standards, 'lenient'>,
): void {
  for (const rule of serverRules) {
    if (refusal !== undefined && rule.refusal !== refusal) continue;
    if (rule.applies_to && !rule.applies_to.includes(operationId)) continue;
    if (lenient && rule.tolerated_by !== undefined) continue;
    const message = rule.check(body, model);
    if (message === undefined) continue;
    throw new Refusal(rule.refusal ?? 'rule', { message, lenientAccepts: rule.tolerated_by !== undefined });
  }
}

/**
 * Checks what the schema of a new voice model cannot express: a public one needs a cover image, and there are
 * no more texts than recordings they could belong to.
 *
 * @throws Refusal `model-rule`
 */
export function refuseBrokenModelRule({
  visibility,
  cover_image,
  texts = [],
  voices,
}: CreateModelRequest): void {
  if ((visibility ?? createModelDefaults.visibility) === 'public' && cover_image === undefined) {
    const message =
      'cover_image is required for a public voice model; send one, or set visibility to unlist or private';
    throw new Refusal('model-rule', { message });
  }
  const recordings = [voices].flat().length;
  if (texts.length > recordings) {
    const message = `texts has ${texts.length} entries but voices has ${recordings}; send at most one text per recording, in the same order`;
    throw new Refusal('model-rule', { message });
  }
}
