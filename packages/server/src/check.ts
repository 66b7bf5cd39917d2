import { isDeepStrictEqual } from 'node:util';
import { type CreateModelRequest, createModelDefaults, defaultModel } from '@speech-api/types';
import { serverRules } from '@speech-api/types/request-rules';
import type { DescribedError, RequestPart } from './describe.ts';
import { type Operation, readOperations } from './operations.ts';
import { maximumIssues, Refusal, type RefusalDetails, type ValidationIssue } from './refusal.ts';
import type { JsonObject, Schema } from './schema.ts';
import { type LooseRequest, tolerate } from './tolerate.ts';
import { createValidator, type Encoding, type Validator } from './validator.ts';
import { clip } from './words.ts';

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
  return { validator, operations: readOperations(validator.document), lenient };
}

/** The place of values in a request. */
export interface CheckedPlace {
  /** The schemas of parameters beside the body. */
  readonly parameters: Operation['parameters'];
  readonly path: Readonly<Record<string, string>>;
  /** The schema of the body; undefined if there is none. */
  readonly schema?: Schema | undefined;
  readonly encoding: Encoding;
}

/** Values that are valid, and the issues that only a strict server would have refused. */
export type CheckedRequest = LooseRequest & { readonly tolerated: readonly ValidationIssue[] };

/**
 * Checks values by their schemas; a lenient server normalises them before.
 *
 * @throws Refusal `schema`
 */
export function checkValues(
  request: LooseRequest,
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

/** @throws Refusal `schema` when there is any issue */
export function refuseIssues(
  issues: readonly ValidationIssue[],
  { lenientAccepts = false }: Pick<RefusalDetails, 'lenientAccepts'> = {},
): void {
  const [first] = issues;
  if (first === undefined) return;
  throw new Refusal('schema', { message: first.msg, issues: issues.slice(0, maximumIssues), lenientAccepts });
}

/** The context in which the rules between fields check a body. */
export interface RuleContext {
  /** The model header, if there is one. */
  readonly model: string | undefined;
  /** The id of the operation, because some rules apply to some operations only. */
  readonly operationId: string;
  /** Checks only by the rules with this refusal. @defaultValue all rules */
  readonly refusal?: string;
}

/**
 * Checks the rules of the specification between the fields of a body.
 *
 * @throws Refusal of the first rule that is broken: `rule` or `text-too-long`
 */
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
