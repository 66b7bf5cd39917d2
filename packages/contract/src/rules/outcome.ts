import type { HttpExchange, RefusalExpected } from '../exchange.ts';
import { type Problem, type Rules, unless } from '../problem.ts';
import { asObject } from '../specification/document.ts';
import { keyRefusals, refusalEntries } from '../specification/rules.ts';
import type { Answer } from '../subjects/answer.ts';
import { aboutTheAccount } from '../subjects/attempts.ts';

export const outcomeRules: Rules<Answer> = {
  'success-expected': ({ exchange, status, isSuccess, value }) => {
    if (exchange.expectation?.outcome !== 'success' || aboutTheAccount.includes(status)) return undefined;
    const message = `A request that keeps the contract is answered with ${status}.`;
    const actual = `${status}${wordsOf(value)}`;
    return unless(isSuccess, { message, expected: 'success', actual, severity: severityOf(exchange) });
  },

  'refusal-expected': ({ exchange, isSuccess, status }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused' || isAboutTheKey(expectation)) return undefined;
    const message = `The request is answered with ${status}, although ${expectation.because}.`;
    const problem = { message, expected: statusesOf(expectation), actual: String(status) };
    return unless(!isSuccess, { ...problem, severity: severityOf(exchange) });
  },

  'key-checked': ({ exchange: { expectation }, isSuccess, status }) => {
    if (expectation?.outcome !== 'refused' || !isAboutTheKey(expectation)) return undefined;
    const message = `The request is accepted with ${status}, although ${expectation.because}.`;
    const problem = { message, expected: statusesOf(expectation), actual: String(status) };
    return unless(!isSuccess, problem);
  },

  'success-status': ({ operation, isSuccess, status }) => {
    if (operation === undefined || !isSuccess) return undefined;
    const { id, statedSuccesses, successStatuses } = operation;
    const isStated = statedSuccesses.length > 0;
    const due = isStated ? statedSuccesses : successStatuses;
    const expected = due.join(' or ');
    const message = `The success of ${id} has the status ${status}, not ${expected}.`;
    const severity = isStated ? undefined : 'warning';
    return unless(due.includes(status), { message, expected, actual: String(status), severity });
  },

  'status-documented': ({ operation, isSuccess, status, documented }) => {
    if (operation === undefined || isSuccess) return undefined;
    // Any path can be asked with a method it does not have, and any server can fail in its own way.
    return unless(documented !== undefined || status === 405 || status > 500, {
      message: `${operation.id} does not document the status ${status}.`,
      expected: [...operation.responses.keys()].join(', '),
      actual: String(status),
    });
  },

  'refusal-status': ({ exchange: { expectation }, status }) => {
    if (expectation?.outcome !== 'refused' || status < 400 || status >= 500 || status === 429)
      return undefined;
    const expected = statusesOf(expectation);
    if (expected === '') return undefined;
    const message = `The request is refused with ${status}, not ${expected}: ${expectation.because}.`;
    const isExpected = expected.split(' or ').includes(String(status));
    return unless(isExpected, { message, expected, actual: String(status) });
  },

  'server-fault': ({ exchange: { expectation }, status }) => {
    if (expectation?.outcome !== 'refused') return undefined;
    const message = `The service fails with ${status} instead of refusing: ${expectation.because}.`;
    const problem = { message, expected: statusesOf(expectation), actual: String(status) };
    return unless(status < 500 || status === 503, problem);
  },
};

/** The server's own message about the fault, cut to one line. */
function wordsOf(value: unknown): string {
  const said = [value]
    .flat()
    .map(asObject)
    .flatMap(({ message, msg, loc }) => {
      const words = message ?? msg;
      const place = Array.isArray(loc) ? `${loc.join('.')}: ` : '';
      return typeof words === 'string' ? [`${place}${words}`] : [];
    });
  return said.length === 0 ? '' : `: ${said.join('; ').slice(0, 200)}`;
}

/** A warning where the interface does not state that the request is right, or that it is wrong. */
function severityOf({ expectation, operationId, request }: HttpExchange): Problem['severity'] {
  const isOpen =
    operationId === 'createModel' ||
    operationId === 'openLiveSession' ||
    (operationId === 'listModels' && request.url.includes('?'));
  return expectation?.rests !== undefined || isOpen ? 'warning' : undefined;
}

/** The statuses that may answer, as in `401 or 403`. */
function statusesOf(expectation: RefusalExpected): string {
  return [...new Set(refusalEntries(expectation.refusals).map(({ status }) => status))].join(' or ');
}

/** Nothing but the key is wrong. */
function isAboutTheKey({ refusals }: RefusalExpected): boolean {
  return refusals.length > 0 && refusals.every((id) => keyRefusals.includes(id));
}
