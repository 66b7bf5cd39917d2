import type { HttpExchange, RefusalExpected } from '../exchange.ts';
import { type Problem, type Rules, unless } from '../problem.ts';
import { asObject } from '../specification/document.ts';
import { keyRefusals, refusalEntries } from '../specification/rules.ts';
import type { Answer } from '../subjects/answer.ts';

export const outcomeRules: Rules<Answer> = {
  'success-expected': ({ exchange, status, isSuccess, json }) => {
    if (exchange.expectation?.outcome !== 'success' || aboutTheAccount.includes(status)) return undefined;
    return unless(isSuccess, {
      message: `A request that keeps the contract is answered with ${status}.`,
      expected: 'success',
      actual: `${status}${wordsOf(json)}`,
      ...severityOf(exchange),
    });
  },

  'refusal-expected': ({ exchange, isSuccess, status }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused' || isAboutTheKey(expectation)) return undefined;
    return unless(!isSuccess, {
      message: `The request is answered with ${status}, although ${expectation.because}.`,
      expected: statusesOf(expectation),
      actual: String(status),
      ...severityOf(exchange),
    });
  },

  'key-checked': ({ exchange, isSuccess, status }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused' || !isAboutTheKey(expectation)) return undefined;
    return unless(!isSuccess, {
      message: `The request is let in with ${status}, although ${expectation.because}.`,
      expected: statusesOf(expectation),
      actual: String(status),
    });
  },

  'success-status': ({ operation, isSuccess, status }) => {
    if (operation === undefined || !isSuccess) return undefined;
    const { statedSuccesses, successStatuses } = operation;
    const due = statedSuccesses.length > 0 ? statedSuccesses : successStatuses;
    const expected = due.join(' or ');
    return unless(due.includes(status), {
      message: `The success of ${operation.id} has the status ${status}, not ${expected}.`,
      expected,
      actual: String(status),
      ...(statedSuccesses.length === 0 && { severity: 'warning' }),
    });
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

  'refusal-status': ({ exchange, status }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused' || status < 400 || status >= 500 || status === 429)
      return undefined;
    const expected = statusesOf(expectation);
    if (expected === '') return undefined;
    return unless(expected.split(' or ').includes(String(status)), {
      message: `The request is refused with ${status}, not ${expected}: ${expectation.because}.`,
      expected,
      actual: String(status),
    });
  },

  'server-fault': ({ exchange, status }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused') return undefined;
    return unless(status < 500 || status === 503, {
      message: `The service fails with ${status} instead of refusing: ${expectation.because}.`,
      expected: statusesOf(expectation),
      actual: String(status),
    });
  },
};

/** The server's own message about the fault, cut to one line. */
function wordsOf(json: Answer['json']): string {
  if (json === undefined || !('value' in json)) return '';
  const said = (Array.isArray(json.value) ? json.value : [json.value])
    .map(asObject)
    .flatMap(({ message, msg, loc }) => {
      const words = message ?? msg;
      const place = Array.isArray(loc) ? `${loc.join('.')}: ` : '';
      return typeof words === 'string' ? [`${place}${words}`] : [];
    });
  return said.length === 0 ? '' : `: ${said.join('; ').slice(0, 200)}`;
}

/** A warning where the interface does not state that the request is right, or that it is wrong. */
function severityOf({ expectation, operationId, request }: HttpExchange): Pick<Problem, 'severity'> {
  const isOpen =
    operationId === 'createModel' ||
    operationId === 'openLiveSession' ||
    (operationId === 'listModels' && request.url.includes('?'));
  return expectation?.rests !== undefined || isOpen ? { severity: 'warning' } : {};
}

/** No credit, too many at once, no room: the request is good all the same. */
const aboutTheAccount = [402, 429, 503];

/** The statuses that may answer, as in `401 or 403`. */
function statusesOf(expectation: RefusalExpected): string {
  return [...new Set(refusalEntries(expectation.refusals).map(({ status }) => status))].join(' or ');
}

/** Nothing but the key is wrong. */
function isAboutTheKey({ refusals }: RefusalExpected): boolean {
  return refusals.length > 0 && refusals.every((id) => keyRefusals.includes(id));
}
