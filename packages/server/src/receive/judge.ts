import { isDeepStrictEqual } from 'node:util';
import type { CreateModelRequest, OperationId } from '@speech-api/types';
import { decodeBody } from '../decode/body.ts';
import { DecodeFailure } from '../decode/failure.ts';
import { decodeUrlEncoded, type FormEntry } from '../decode/form.ts';
import { isFields } from '../fields.ts';
import { type Check, checkInOrder, maximumIssues, Refusal, type ValidationIssue } from '../refuse/refusal.ts';
import { type Operation, readOperations } from '../spec/operations.ts';
import type { Schema } from '../spec/schema.ts';
import { type LooseRequest, tolerate } from '../tolerate.ts';
import type { Encoding } from '../validate/compile.ts';
import type { DescribedError, RequestPart } from '../validate/describe.ts';
import { refuseBrokenModelRule, refuseBrokenRule } from '../validate/rules.ts';
import { createValidator, shapeForm, type Validator } from '../validate/validator.ts';
import { clip } from '../validate/words.ts';

/** Options for receiving requests. */
export interface ReceiverOptions {
  /** Accepts the tolerances of the spec. @defaultValue false */
  readonly lenient?: boolean;
}

/** Validator and operations for checking every request. */
export interface Standards {
  readonly validator: Validator;
  readonly operations: readonly Operation[];
  readonly lenient: boolean;
}

/** @throws Error when the package is incomplete */
export function createStandards({ lenient = false }: ReceiverOptions): Standards {
  const validator = createValidator();
  const operations = readOperations(validator.document);
  return { validator, operations, lenient };
}

/** A request whose body has come: plain data, so that another thread can judge it. */
export interface ReadRequest {
  readonly operationId: OperationId;
  readonly path: Readonly<Record<string, string>>;
  readonly queryText: string;
  /** Header parameters of the operation, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent when there is no body. */
  readonly mediaType?: string | undefined;
  /** The whole header, for its boundary. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
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
  /** Issues that a strict server would have refused and this lenient one accepted; empty if strict. */
  readonly tolerated: readonly ValidationIssue[];
}

/**
 * Decodes a request and judges it, in the order of the spec's refusals.
 *
 * @throws Refusal for the first check that fails
 */
export async function judgeRequest(request: ReadRequest, standards: Standards): Promise<JudgedRequest> {
  const { path, headers, operationId: id } = request;
  const operation = standards.operations.find((each) => each.id === id);
  if (operation === undefined) throw new Error(`The spec has no operation ${id}.`);
  const written = await decode(request, operation, standards);
  let judged: Judged = { headers, query: {}, body: undefined, tolerated: [] };
  const checks: Record<string, Check> = {
    'malformed-body'() {
      if (written instanceof DecodeFailure) throw written;
    },
    schema() {
      const { body, encoding, schema } = written as Written;
      const query = readQuery(request, operation, standards);
      const place = { parameters: operation.parameters, path, schema, encoding };
      judged = judgeValues({ headers, query, body }, place, standards);
    },
    rule() {
      const { body } = judged;
      const context = { model: judged.headers.model, operationId: id };
      if (isFields(body)) refuseBrokenRule(body, context, standards);
    },
    'model-rule'() {
      if (id === 'createModel') refuseBrokenModelRule(judged.body as CreateModelRequest);
    },
  };
  await checkInOrder(checks, id);
  return { ...judged, fileNames: (written as Written).fileNames };
}

/** A body as it was written. */
interface Written {
  readonly body: unknown;
  readonly encoding: Encoding;
  /** Absent when there is no body. */
  readonly schema?: Schema | undefined;
  readonly fileNames: JudgedRequest['fileNames'];
}

/** @returns the failure of a body that cannot be decoded: it is told in its turn */
async function decode(
  { mediaType, bytes, contentType }: ReadRequest,
  { bodies }: Operation,
  { validator }: Standards,
): Promise<Written | DecodeFailure> {
  if (mediaType === undefined) return { body: undefined, encoding: 'json', fileNames: new Map() };
  const schema = bodies[mediaType] ?? {};
  try {
    const decoded = await decodeBody(bytes, mediaType, contentType);
    if (decoded.encoding !== 'form') {
      return { body: decoded.value, encoding: decoded.encoding, schema, fileNames: new Map() };
    }
    const body = shapeForm(validator.document, schema, decoded.entries);
    return { body, encoding: 'form', schema, fileNames: fileNamesOf(decoded.entries) };
  } catch (error) {
    if (error instanceof DecodeFailure) return error;
    throw error;
  }
}

function fileNamesOf(entries: readonly FormEntry[]): JudgedRequest['fileNames'] {
  const files = entries.flatMap(({ name, value }) =>
    typeof value === 'string' ? [] : [{ name, fileName: value.fileName }],
  );
  const byField = [...Map.groupBy(files, ({ name }) => name)];
  return new Map(byField.map(([name, all]) => [name, all.map(({ fileName }) => fileName)]));
}

/** @throws Refusal `schema` when the query cannot be decoded */
function readQuery(
  { queryText }: ReadRequest,
  { parameters }: Operation,
  { validator }: Standards,
): Record<string, unknown> {
  try {
    const entries = decodeUrlEncoded(queryText, 'query');
    return shapeForm(validator.document, parameters.query, entries);
  } catch (error) {
    if (!(error instanceof DecodeFailure)) throw error;
    const issues = error.issues.map((issue) => ({ ...issue, loc: ['query', ...error.path.map(clip)] }));
    throw new Refusal('schema', { message: error.message, issues });
  }
}

/** The surroundings of values that are judged. */
export interface JudgedPlace {
  /** The schemas of what comes beside the body. */
  readonly parameters: Operation['parameters'];
  readonly path: Readonly<Record<string, string>>;
  /** Of the body; absent when there is none. */
  readonly schema?: Schema | undefined;
  readonly encoding: Encoding;
}

type Judged = LooseRequest & Pick<JudgedRequest, 'tolerated'>;

/**
 * Judges values by their schemas; a lenient server normalises them before.
 *
 * @throws Refusal `schema`
 */
export function judgeValues(
  given: LooseRequest,
  { parameters, path, schema, encoding }: JudgedPlace,
  { validator, lenient }: Standards,
): Judged {
  const issuesIn = ({ headers, query, body }: LooseRequest): readonly ValidationIssue[] => [
    ...issuesOf('path', validator.validate(parameters.path, path, 'form', 'path')),
    ...issuesOf('header', validator.validate(parameters.header, headers, 'form', 'header')),
    ...issuesOf('query', validator.validate(parameters.query, query, 'form', 'query')),
    ...(schema === undefined ? [] : issuesOf('body', validator.validate(schema, body, encoding))),
  ];
  const { document } = validator;
  const loose = lenient ? tolerate(given, { document, parameters, bodySchema: schema }) : given;
  // If the tolerances change anything, note what a strict server would refuse.
  const tolerated = lenient && !isDeepStrictEqual(loose, given) ? issuesIn(given) : [];
  refuseIssues(issuesIn(loose));
  return { ...loose, tolerated };
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

/** @throws Refusal `schema` when there is any issue */
export function refuseIssues(issues: readonly ValidationIssue[]): void {
  const [first] = issues;
  if (first) throw new Refusal('schema', { message: first.msg, issues: issues.slice(0, maximumIssues) });
}
