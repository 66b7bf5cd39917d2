import { DecodeFailure } from '../decode/failure.ts';
import type { Check } from '../refuse/in-order.ts';
import { Refusal } from '../refuse/refusal.ts';
import type { Operation } from '../spec/operations.ts';
import type { DescribedError, RequestPart } from '../validate/describe-error.ts';
import { mostIssues, type ValidationIssue } from '../validate/issue.ts';
import type { Validated } from '../validate/validator.ts';

/** The entries of the validation list for one part of a request. */
export function issuesOf(operation: Operation, part: RequestPart, validated: Validated): ValidationIssue[] {
  if (validated.valid) return [];
  return validated.errors.map((error: DescribedError) => ({
    loc: [part, ...error.path],
    type: error.type,
    msg: error.message,
    ctx: error.context,
    ...(operation.issuesNamePart ? { in: part } : {}),
  }));
}

/** @throws Refusal when there is any issue */
export function refuseIssues(refusal: string, issues: readonly ValidationIssue[]): void {
  const [first] = issues;
  if (first) throw new Refusal(refusal, { message: first.msg, issues: issues.slice(0, mostIssues) });
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
