import type { IncomingMessage } from 'node:http';
import type { OperationId } from '@speech-api/types';
import type { RecordedCall, Violation } from './recorded-call.ts';

/** A call that is still under way. */
export interface OpenCall {
  isFor(operation: { readonly id: OperationId; readonly path: string }): void;
  sent(settings: RecordedCall['settings']): void;
  violates(violations: readonly Violation[]): void;
  /** The answer was sent whole, or left. Called once. */
  ended(): void;
}

/** The last calls, the oldest first. */
export interface CallLog {
  readonly calls: readonly RecordedCall[];
  /** How many calls with a violation there were, also of those that are no longer kept. */
  readonly invalid: number;
  /** @param status of the answer, once it has one */
  open(request: IncomingMessage, status: () => number | undefined): OpenCall;
  clear(): void;
}

/** A test makes dozens; a mock that runs for weeks must not grow. */
const mostCalls = 10_000;
const mostViolations = 100;

class Recorded implements RecordedCall {
  operationId: OperationId | undefined;
  readonly method: string;
  path: string;
  readonly contentType: string | undefined;
  settings: RecordedCall['settings'] = {};
  readonly violations: Violation[] = [];
  #status: () => number | undefined;

  constructor(request: IncomingMessage, status: () => number | undefined) {
    this.#status = status;
    this.method = request.method ?? '';
    this.path = (request.url ?? '').split('?')[0]?.slice(0, 120) ?? '';
    this.contentType = request.headers['content-type']?.split(';')[0]?.slice(0, 120);
  }

  get status(): number | undefined {
    return this.#status();
  }

  /** From now on without the answer itself, which may go. */
  keepStatus(): void {
    const status = this.#status();
    this.#status = () => status;
  }

  get valid(): boolean {
    return this.violations.length === 0;
  }

  toJSON(): RecordedCall {
    const { operationId, method, path, contentType, settings, status, violations, valid } = this;
    return { operationId, method, path, contentType, settings, status, violations, valid };
  }
}

/** @param onAnswer called once for each call, when its answer was sent or left */
export function createCallLog(onAnswer: (call: RecordedCall) => void = () => {}): CallLog {
  let calls: Recorded[] = [];
  let invalid = 0;
  return {
    get calls() {
      return calls;
    },
    get invalid() {
      return invalid;
    },
    open(request, status) {
      const call = new Recorded(request, status);
      calls.push(call);
      if (calls.length > mostCalls) calls.shift();
      return {
        isFor({ id, path }) {
          call.operationId = id;
          call.path = path;
        },
        sent(settings) {
          call.settings = settings;
        },
        violates(violations) {
          if (call.valid && violations.length > 0) invalid += 1;
          call.violations.push(...violations.slice(0, mostViolations - call.violations.length));
        },
        ended() {
          call.keepStatus();
          onAnswer(call);
        },
      };
    },
    clear() {
      calls = [];
      invalid = 0;
    },
  };
}
