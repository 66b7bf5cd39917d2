import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { DecodedBody } from '../decode/body.ts';
import { DecodeFailure, type DecodeLimits } from '../decode/failure.ts';
import { decodeUrlEncoded, type FormEntry } from '../decode/form.ts';
import { type Check, maximumIssues, Refusal, type ValidationIssue } from '../refuse/refusal.ts';
import type { Operation } from '../spec/operations.ts';
import type { DescribedError, RequestPart } from '../validate/describe.ts';
import type { Validated } from '../validate/validator.ts';
import { clip } from '../validate/words.ts';

/** The part of a request that a receiver reads, such as an `IncomingMessage` of `node:http`. */
export type IncomingRequest = Readable & {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
};

/** Whether to read a body: the operation takes one, and it is required or present. */
export function takesBody(operation: Operation, request: IncomingRequest): boolean {
  if (Object.keys(operation.bodies).length === 0) return false;
  const { 'content-length': length, 'transfer-encoding': coding, 'content-type': type } = request.headers;
  const hasBody = coding !== undefined || (length !== undefined && length !== '0') || type !== undefined;
  return operation.bodyRequired || hasBody;
}

/** The header parameters of an operation, by lower-case name. */
export function readHeaders(
  request: IncomingRequest,
  operation: Operation | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const parameter of operation?.parameters ?? []) {
    if (parameter.in !== 'header') continue;
    const name = parameter.name.toLowerCase();
    const given = request.headers[name];
    if (given !== undefined) headers[name] = [given].flat().join(', ');
  }
  return headers;
}

/**
 * The entries of a query.
 *
 * @throws Refusal `schema` when it cannot be decoded
 */
export function readQuery(text: string, operation: Operation, limits: DecodeLimits): FormEntry[] {
  try {
    return decodeUrlEncoded(text, limits, 'query');
  } catch (error) {
    if (!(error instanceof DecodeFailure)) throw error;
    refuseIssues('schema', issuesOf(operation, 'query', failed(error)));
    throw error;
  }
}

/** The names that senders gave to the files of a form, by field. */
export function readFileNames(body: DecodedBody | undefined): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const { name, value } of body?.encoding === 'form' ? body.entries : []) {
    if (typeof value !== 'string') names.set(name, [...(names.get(name) ?? []), value.fileName]);
  }
  return names;
}

/** The entries of the validation list for one part of a request. */
export function issuesOf(operation: Operation, part: RequestPart, validated: Validated): ValidationIssue[] {
  if (validated.valid) return [];
  return validated.errors.map((error: DescribedError) => ({
    // A name may have megabytes; an answer must not.
    loc: [part, ...error.path.map(clip)],
    type: error.type,
    msg: error.message,
    ctx: error.context,
    ...(operation.issuesNamePart ? { in: part } : {}),
  }));
}

/** @throws Refusal when there is any issue */
export function refuseIssues(refusal: string, issues: readonly ValidationIssue[]): void {
  const [first] = issues;
  if (first) throw new Refusal(refusal, { message: first.msg, issues: issues.slice(0, maximumIssues) });
}

/** Makes a check that may fail to decode, and turns the failure into the refusal it belongs to. */
export async function refuseUndecodable(check: Check, operation: Operation | undefined): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof DecodeFailure)) throw error;
    // The data says that a body which cannot be decoded has the one place ["body"]; the message names the field.
    const issues = operation ? issuesOf(operation, 'body', failed(error, [])) : [];
    throw new Refusal(error.refusal, { message: error.message, issues, cause: error });
  }
}

/** As a verdict, what a decoder has thrown. */
export function failed(error: DecodeFailure, path: readonly string[] = error.path): Validated {
  return {
    valid: false,
    errors: [{ path, type: error.type, message: error.message, context: error.context }],
  };
}
