import { type DecodeLimits, defaultDecodeLimits } from '../decode/failure.ts';
import { type Check, checkInOrder, type ValidationIssue } from '../refuse/refusal.ts';
import { type Operation, readOperations } from '../spec/operations.ts';
import { loadTolerances } from '../spec/tolerances.ts';
import { skippedRules } from '../tolerate.ts';
import { createValidator } from '../validate/validator.ts';
import { type RequestState, requestChecks, type Standards } from './checks.ts';
import { type IncomingRequest, readFileNames, readHeaders, refuseUndecodable } from './request.ts';
import { createRouter } from './router.ts';

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

/** Receives requests one at a time. */
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
  const validator = createValidator();
  const operations = readOperations(validator.document);
  const findRoute = createRouter(operations);
  // Read now even when strict, for the words of its messages: an incomplete package must fail at startup.
  const tolerances = loadTolerances();
  const lenient = options.lenient ?? false;
  const standards: Standards = {
    validator,
    operations,
    limits: { ...defaultDecodeLimits, ...options.limits },
    lenient,
    skippedRules: lenient ? skippedRules(tolerances) : new Set(),
  };
  const begin = (request: IncomingRequest, beforeBody: (() => void) | undefined): RequestState => {
    const [path = '/', ...queryParts] = (request.url ?? '/').split('?');
    const route = findRoute(request.method ?? 'GET', path);
    const operation = route.kind === 'operation' ? route.operation : undefined;
    return {
      standards,
      request,
      route,
      operation,
      path,
      queryText: queryParts.join('?'),
      beforeBody,
      headers: readHeaders(request, operation),
      query: {},
      bytes: new Uint8Array(),
      value: undefined,
      tolerated: [],
    };
  };

  return {
    async receive(request, serverChecks, beforeBody) {
      const state = begin(request, beforeBody);
      const { route, operation } = state;
      const checks: Record<string, Check> = {};
      for (const [id, check] of Object.entries(serverChecks)) if (check) checks[id] = () => check(operation);
      for (const [id, check] of requestChecks) {
        checks[id] = () => refuseUndecodable(() => check(state), operation);
      }
      await checkInOrder(checks, () => operation?.id);
      if (route.kind !== 'operation') throw new Error('The order of refusals has no check of the path.');
      return {
        operation: route.operation,
        path: route.pathParameters,
        query: state.query,
        headers: state.headers,
        body: state.value,
        fileNames: readFileNames(state.body),
        tolerated: state.tolerated,
      };
    },
  };
}
