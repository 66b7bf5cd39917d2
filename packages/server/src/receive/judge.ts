import { isDeepStrictEqual } from 'node:util';
import { type CreateModelRequest, limits, type OperationId } from '@speech-api/types';
import { type DecodedBody, decodeBody } from '../decode/body.ts';
import { type DecodeLimits, defaultDecodeLimits } from '../decode/failure.ts';
import { type Check, checkInOrder, Refusal, type ValidationIssue } from '../refuse/refusal.ts';
import type { Schema } from '../spec/document.ts';
import { type Operation, readOperations } from '../spec/operations.ts';
import { loadTolerances } from '../spec/tolerances.ts';
import { type LooseRequest, skippedRules, tolerate } from '../tolerate.ts';
import { refuseBrokenModelRule } from '../validate/model-rules.ts';
import { findBrokenRule } from '../validate/rules.ts';
import { createValidator, type ParameterPlace, shapeForm, type Validator } from '../validate/validator.ts';
import { issuesOf, readFileNames, readQuery, refuseIssues, refuseUndecodable } from './request.ts';

/** Options for receiving requests. */
export interface ReceiverOptions {
  /** Accepts the tolerances of the spec. @defaultValue false */
  readonly lenient?: boolean;
  readonly limits?: Partial<DecodeLimits>;
}

/** Validator, operations and limits for checking every request. */
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
  readonly mediaType?: string | undefined;
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
  /** Issues that a strict server would have refused and this lenient one accepted; empty if strict. */
  readonly tolerated: readonly ValidationIssue[];
}

/**
 * Decodes a request and judges it, in the order of the spec's refusals.
 *
 * @throws Refusal for the first check that fails
 */
export function judgeRequest(request: ReadRequest, standards: Standards): Promise<JudgedRequest> {
  const operation = standards.operations.find((each) => each.id === request.operationId);
  if (operation === undefined) throw new Error(`The spec has no operation ${request.operationId}.`);
  return new Judging(request, standards, operation).run();
}

/** One request on its way through the checks: each one finds what those before it have learned. */
class Judging {
  readonly #request: ReadRequest;
  readonly #standards: Standards;
  readonly #operation: Operation;
  /** The body as it was written. */
  #written: DecodedBody | undefined;
  #loose: LooseRequest;
  #tolerated: readonly ValidationIssue[] = [];

  constructor(request: ReadRequest, standards: Standards, operation: Operation) {
    this.#request = request;
    this.#standards = standards;
    this.#operation = operation;
    this.#loose = { headers: request.headers, query: {}, body: undefined };
  }

  async run(): Promise<JudgedRequest> {
    const { id } = this.#operation;
    const checks: Record<string, Check> = {
      'file-too-large': () => this.#checkFileSize(),
      'malformed-body': () => this.#decode(),
      schema: () => this.#checkSchema(),
      rule: () => this.#checkRules('rule'),
      'text-too-long': () => this.#checkRules('text-too-long'),
      'model-rule': () => {
        if (id === 'createModel') refuseBrokenModelRule(this.#loose.body as CreateModelRequest);
      },
    };
    await refuseUndecodable(() => checkInOrder(checks, () => id), this.#operation);
    return { ...this.#loose, fileNames: readFileNames(this.#written), tolerated: this.#tolerated };
  }

  async #decode(): Promise<void> {
    const { mediaType, chunks, contentType } = this.#request;
    if (mediaType === undefined || this.#written !== undefined) return;
    const { limits: decodeLimits, validator } = this.#standards;
    this.#written = await decodeBody(Buffer.concat(chunks), mediaType, contentType, decodeLimits);
    const body = validator.shapeBody(this.#operation, mediaType, this.#written);
    this.#loose = { ...this.#loose, body };
  }

  /** Section 8: a file of 20 MB, refused only above the larger reading of the unit. */
  async #checkFileSize(): Promise<void> {
    if (this.#operation.id !== 'createTranscription') return;
    // A body that cannot be decoded has no file; the next check says why it cannot.
    await this.#decode().catch(() => {});
    const { body } = this.#loose;
    const audio = typeof body === 'object' && body !== null && 'audio' in body ? body.audio : undefined;
    const maximum = limits.transcriptionFileBytesRefusedAbove;
    const largest = [audio].flat().find((each) => each instanceof Uint8Array && each.length > maximum);
    if (!(largest instanceof Uint8Array)) return;
    const message = `\`audio\` is ${largest.length} bytes; the limit is 20 MB (${maximum} bytes). Split the recording.`;
    throw new Refusal('file-too-large', { message });
  }

  #checkSchema(): void {
    const { validator, limits: decodeLimits, lenient } = this.#standards;
    const operation = this.#operation;
    const querySchema = validator.parametersSchema(operation, 'query');
    const entries = readQuery(this.#request.queryText, operation, decodeLimits);
    const given = { ...this.#loose, query: shapeForm(validator.document, querySchema, entries) };
    const loose = lenient ? this.#loosen(given, querySchema) : given;
    // If the tolerances change anything, note what a strict server would refuse.
    if (lenient && !isDeepStrictEqual(loose, given)) this.#tolerated = this.#judge(given).issues;
    const { issues, value } = this.#judge(loose);
    refuseIssues('schema', issues);
    this.#loose = { ...loose, body: value };
  }

  #loosen(given: LooseRequest, querySchema: Schema): LooseRequest {
    const { parameters, bodies } = this.#operation;
    return tolerate(given, {
      document: this.#standards.validator.document,
      querySchema,
      bodySchema: bodies[this.#request.mediaType ?? ''],
      headerNames: parameters.filter((each) => each.in === 'header').map(({ name }) => name),
    });
  }

  /** The issues, and the body: in a valid one, binary fields are bytes. */
  #judge({ headers, query, body }: LooseRequest): {
    readonly issues: ValidationIssue[];
    readonly value: unknown;
  } {
    const { validator } = this.#standards;
    const operation = this.#operation;
    const { mediaType, path } = this.#request;
    const issues = Object.entries({ path, header: headers, query }).flatMap(([place, values]) => {
      const part = place as ParameterPlace;
      return issuesOf(operation, part, validator.validateParameters(operation, part, values));
    });
    if (mediaType === undefined || this.#written === undefined) return { issues, value: body };
    const validated = validator.validateBody(operation, mediaType, body, this.#written.encoding);
    issues.push(...issuesOf(operation, 'body', validated));
    return { issues, value: validated.valid ? validated.value : body };
  }

  #checkRules(refusal: string): void {
    if (this.#request.mediaType === undefined) return;
    const { body, headers } = this.#loose;
    const subject = { body, model: headers.model, operationId: this.#operation.id };
    const broken = findBrokenRule(subject, this.#standards.skippedRules);
    if (broken && (broken.rule.refusal ?? 'rule') === refusal) {
      throw new Refusal(refusal, { message: broken.message });
    }
  }
}
