import { type CreateModelRequest, limits } from '@speech-api/types';
import { chooseMediaType, type DecodedBody, decodeBody, readBody } from '../decode/body.ts';
import { type DecodeLimits, defaultDecodeLimits } from '../decode/failure.ts';
import { type Check, checkInOrder, Refusal, type ValidationIssue } from '../refuse/refusal.ts';
import { type Operation, readOperations } from '../spec/operations.ts';
import { loadTolerances } from '../spec/tolerances.ts';
import { skippedRules, tolerate } from '../tolerate.ts';
import { refuseBrokenModelRule } from '../validate/model-rules.ts';
import { findBrokenRule } from '../validate/rules.ts';
import { createValidator, shapeForm } from '../validate/validator.ts';
import {
  type IncomingRequest,
  issuesOf,
  readFileNames,
  readHeaders,
  readQuery,
  refuseIssues,
  refuseUndecodable,
  takesBody,
} from './request.ts';
import { createRouter, describeUnknownPath } from './router.ts';

/** How a server receives requests. */
export interface ReceiverOptions {
  /** Accepts the tolerances of the spec. @defaultValue false */
  readonly lenient?: boolean;
  readonly limits?: Partial<DecodeLimits>;
}

/** A request that the spec allows: routed, decoded, judged. */
export interface ReceivedCall {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
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

/** What a server adds to the checks of the spec, each at its place in the order of refusals. */
export interface ServerChecks {
  /** By the id of the refusal they may throw: `foreign-host`, `key-missing`, `concurrency` and so on. */
  readonly [refusal: string]: ((operation: Operation | undefined) => void | Promise<void>) | undefined;
}

/** Takes one request in. */
export interface Receiver {
  /**
   * Routes, decodes and judges a request in the order of the spec's refusals.
   *
   * @param checks those that need the server's own knowledge
   * @param beforeBody called when the body is about to be read: the time for `100 Continue`
   * @throws Refusal for the first check that fails
   */
  receive(request: IncomingRequest, checks: ServerChecks, beforeBody?: () => void): Promise<ReceivedCall>;
}

/** Makes a receiver over the paths and schemas of the spec. */
export function createReceiver(options: ReceiverOptions = {}): Receiver {
  const limits: DecodeLimits = { ...defaultDecodeLimits, ...options.limits };
  const lenient = options.lenient ?? false;
  const validator = createValidator();
  const operations = readOperations(validator.document);
  const route = createRouter(operations);
  // Read now even when strict, for the words of its messages: a package that is not whole must fail at the start.
  const tolerances = loadTolerances();
  const toleratedRules = lenient ? skippedRules(tolerances) : new Set<string>();

  return {
    async receive(request, serverChecks, beforeBody) {
      const [path = '/', ...queryParts] = (request.url ?? '/').split('?');
      const found = route(request.method ?? 'GET', path);
      const operation = found.kind === 'operation' ? found.operation : undefined;
      let mediaType: string | undefined;
      let bytes: Uint8Array = new Uint8Array();
      let body: DecodedBody | undefined;
      let value: unknown;
      let query: Readonly<Record<string, unknown>> = {};
      let headers = readHeaders(request, operation);
      let tolerated: readonly ValidationIssue[] = [];

      const own: Readonly<Record<string, Check>> = {
        'unknown-path': () => {
          if (found.kind !== 'unknown-path') return;
          throw new Refusal('unknown-path', { message: describeUnknownPath(path, operations) });
        },
        'unknown-method': () => {
          if (found.kind !== 'unknown-method') return;
          const allow = found.allow.join(', ');
          const message = `${request.method} is not a method of ${path}; it has ${allow}.`;
          throw new Refusal('unknown-method', { message, headers: { allow } });
        },
        'media-type': () => {
          if (operation === undefined || !takesBody(operation, request)) return;
          const header = request.headers['content-type'];
          const accepted = Object.keys(operation.bodies);
          mediaType = chooseMediaType(header, accepted, request.headers['content-encoding']);
        },
        'body-too-large': async () => {
          if (mediaType === undefined) return;
          if (Number(request.headers['content-length'] ?? 0) <= limits.bodyBytes) beforeBody?.();
          bytes = await readBody(request, limits.bodyBytes);
        },
        'file-too-large': async () => {
          if (operation?.id !== 'createTranscription') return;
          // What cannot be decoded has no file; the next check says why it cannot.
          await decode().catch(() => {});
          refuseLargeFile(value);
        },
        'malformed-body': () => decode(),
        schema: () => {
          if (operation === undefined || found.kind !== 'operation') return;
          const querySchema = validator.parametersSchema(operation, 'query');
          query = shapeForm(
            validator.document,
            querySchema,
            readQuery(queryParts.join('?'), operation, limits),
          );
          if (lenient) {
            // The judge turns base64 into bytes in place, and a second one would not know them for base64.
            const given = body?.encoding === 'json' ? structuredClone(value) : value;
            tolerated = judge();
            value = given;
            const bodySchema = mediaType === undefined ? undefined : operation.bodies[mediaType];
            const headerNames = operation.parameters
              .filter((each) => each.in === 'header')
              .map((each) => each.name);
            const { document } = validator;
            ({
              headers,
              query,
              body: value,
            } = tolerate(
              { headers, query, body: value },
              { document, querySchema, bodySchema, headerNames },
            ));
          }
          refuseIssues('schema', judge());
        },
        rule: () => refuseBrokenRule('rule'),
        'text-too-long': () => refuseBrokenRule('text-too-long'),
        'model-rule': () => {
          if (operation?.id === 'createModel') refuseBrokenModelRule(value as CreateModelRequest);
        },
      };
      const decode = async (): Promise<void> => {
        if (mediaType === undefined || operation === undefined || body !== undefined) return;
        body = await decodeBody(bytes, mediaType, request.headers['content-type'] ?? '', limits);
        value = validator.shapeBody(operation, mediaType, body);
      };
      /** Judges the request as it is by now; binary fields of a good body become bytes. */
      const judge = (): ValidationIssue[] => {
        if (operation === undefined || found.kind !== 'operation') return [];
        const issues = [
          ...issuesOf(
            operation,
            'path',
            validator.validateParameters(operation, 'path', found.pathParameters),
          ),
          ...issuesOf(operation, 'header', validator.validateParameters(operation, 'header', headers)),
          ...issuesOf(operation, 'query', validator.validateParameters(operation, 'query', query)),
        ];
        if (mediaType !== undefined && body !== undefined) {
          const validated = validator.validateBody(operation, mediaType, value, body.encoding);
          if (validated.valid) value = validated.value;
          issues.push(...issuesOf(operation, 'body', validated));
        }
        return issues;
      };
      const refuseBrokenRule = (refusal: string): void => {
        if (operation === undefined || mediaType === undefined) return;
        const subject = { body: value, model: headers.model, operationId: operation.id };
        const broken = findBrokenRule(subject, toleratedRules);
        if (broken && (broken.rule.refusal ?? 'rule') === refusal) {
          throw new Refusal(refusal, { message: broken.message });
        }
      };

      const checks: Record<string, Check> = {};
      for (const [id, check] of Object.entries(serverChecks)) if (check) checks[id] = () => check(operation);
      for (const [id, check] of Object.entries(own)) checks[id] = () => refuseUndecodable(check, operation);
      await checkInOrder(checks, () => operation?.id);

      if (found.kind !== 'operation') throw new Error('The order of refusals has no check of the path.');
      const { operation: routed, pathParameters } = found;
      return {
        operation: routed,
        path: pathParameters,
        query,
        headers,
        body: value,
        fileNames: readFileNames(body),
        tolerated,
      };
    },
  };
}

/**
 * Section 8: a file of 20 MB, refused only above the larger reading of the unit.
 *
 * @param body of a transcription request, decoded and not judged yet
 * @throws Refusal `file-too-large`
 */
export function refuseLargeFile(body: unknown): void {
  const audio = typeof body === 'object' && body !== null ? (body as { audio?: unknown }).audio : undefined;
  const most = limits.transcriptionFileBytesRefusedAbove;
  const largest = [audio].flat().find((each) => each instanceof Uint8Array && each.length > most);
  if (!(largest instanceof Uint8Array)) return;
  const message = `\`audio\` has ${largest.length} bytes; at most 20 MB are taken (refused above ${most} bytes). Split the recording.`;
  throw new Refusal('file-too-large', { message });
}
