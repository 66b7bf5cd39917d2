import { mediaTypes } from '@speech-api/types';
import type { HttpExchange, RefusalExpected } from '../exchange.ts';
import { type Chapter, chapter, type Problem, unless, unlessEqual } from '../problem.ts';
import { asObject } from '../specification/document.ts';
import { isAboutTheKey, refusalEntries } from '../specification/rules.ts';
import { type Answer, aboutTheAccount } from '../subjects/answer.ts';
import { violationsOfError } from '../subjects/fields.ts';
import { type Reading, readAnswered, readAnyAnswer } from '../subjects/reading.ts';
import { judgeMediaType } from './delivery.ts';

const outcome = chapter(readOutcome, {
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
});

const statuses = chapter(readAnswered, {
  'success-status': ({ operation, isSuccess, status }) => {
    if (operation === undefined || !isSuccess) return undefined;
    const { id, statedSuccesses, successStatuses } = operation;
    const isStated = statedSuccesses.length > 0;
    const due = isStated ? statedSuccesses : successStatuses;
    const expected = due.join(' or ');
    const message = `The success of ${id} has the status ${status}, not ${expected}.`;
    // A status that the document lists beside the stated one was seen at public servers.
    const severity = isStated && !successStatuses.includes(status) ? undefined : 'warning';
    return unless(due.includes(status), { message, expected, actual: String(status), severity });
  },

  'status-documented': ({ operation, isSuccess, status, documented }) => {
    if (operation === undefined || isSuccess) return undefined;
    // Any path can be called with a method it lacks, and any server can fail in its own way.
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
});

export const outcomeChapters: readonly Chapter<Reading>[] = [outcome, statuses];

/** A session may also be refused after it opened. */
function readOutcome({ shows, answer }: Reading): readonly Answer[] {
  return shows === 'answer' || shows === 'refusal-in-session' ? [answer] : [];
}

/** The server's own message about the fault, cut to one line. */
function wordsOf(value: unknown): string {
  const text = [value]
    .flat()
    .map(asObject)
    .flatMap(({ message, msg, loc }) => {
      const words = message ?? msg;
      const place = Array.isArray(loc) ? `${loc.join('.')}: ` : '';
      return typeof words === 'string' ? [`${place}${words}`] : [];
    });
  return text.length === 0 ? '' : `: ${text.join('; ').slice(0, 200)}`;
}

/** The finding is a warning if the interface does not state whether the request is correct. */
function severityOf({ expectation, operationId, request }: HttpExchange): Problem['severity'] {
  const isOpen =
    operationId === 'createModel' ||
    operationId === 'openLiveSession' ||
    (operationId === 'listModels' && request.url.includes('?'));
  return expectation?.rests !== undefined || isOpen ? 'warning' : undefined;
}

/** The accepted statuses as text, such as `401 or 403`. */
function statusesOf(expectation: RefusalExpected): string {
  return [...new Set(refusalEntries(expectation.refusals).map(({ status }) => status))].join(' or ');
}

const errorBodies = chapter(readAnyAnswer, {
  'error-body-shape': ({ status, value, unreadable, body, mediaType }) => {
    if (status < 400) return undefined;
    if (unreadable !== undefined) {
      const message = `The body of a ${status} is not an error as the contract defines it: ${unreadable}.`;
      const actual = `${body.length} bytes of ${mediaType || 'no media type'}`;
      // A gateway in front of the service answers with its own text, or with nothing.
      return [{ message, actual, severity: 'warning' }];
    }
    const severity = status >= 500 ? 'warning' : undefined;
    if (value === undefined) return undefined;
    return violationsOfError(value)
      .filter(({ kind }) => kind !== 'unknown')
      .map(({ message, pointer, expected, actual }) => ({
        message: `The body of a ${status} is neither a general error nor a list of issues: ${message}`,
        where: pointer,
        expected,
        actual,
        severity,
      }));
  },

  'error-body-status': ({ status, object }) => {
    const statedStatus = object?.status;
    if (status < 400 || typeof statedStatus !== 'number') return undefined;
    const message = `The body says status ${statedStatus}, but the answer has ${status}.`;
    return unlessEqual(statedStatus, status, { message, where: '/status' });
  },

  'error-media-type': (answer) => {
    const { status, body } = answer;
    if (status < 400 || body.length === 0) return undefined;
    return judgeMediaType(answer, mediaTypes.json, `The body of a ${status}`);
  },
});

const refusalBodies = chapter(readAnswered, {
  'refusal-shape': ({ exchange, status, value }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused' || status < 400 || status >= 500 || value === undefined)
      return undefined;
    const allowed = refusalEntries(expectation.refusals);
    if (allowed.length === 0) return undefined;
    // If several refusals are accepted, the status shows which one it is.
    const ofStatus = allowed.filter((entry) => entry.status === status);
    const shapes = (ofStatus.length > 0 ? ofStatus : allowed).map(({ body }) => words[body]);
    const actual = words[Array.isArray(value) ? 'validation' : 'general'];
    const expected = [...new Set(shapes)].join(' or ');
    const message = `The request is refused with ${actual}, not ${expected}: ${expectation.because}.`;
    return unless(shapes.includes(actual), { message, expected, actual });
  },

  'issues-name-their-part': (answer) => {
    if (answer.operation?.issuesNamePart !== true) return undefined;
    return issuesOf(answer)?.flatMap((issue, index) => {
      const message = `Issue ${index} does not say which part of the request it is in.`;
      return unless(typeof issue.in === 'string', { message, where: `/${index}/in` });
    });
  },

  'issues-name-the-field': (answer) => {
    const { expectation, request } = answer.exchange;
    const issues = issuesOf(answer);
    if (expectation?.outcome !== 'refused' || expectation.field === undefined || issues === undefined)
      return undefined;
    const { field } = expectation;
    const [expected = field] = field.split('.').toReversed();
    const named = issues.filter(({ loc }) => Array.isArray(loc) && loc.map(String).includes(expected));
    const place = request.method === 'GET' ? 'query' : 'body';
    const places = issues.map(({ loc }) => JSON.stringify(loc)).join(', ');
    const message = `The request is wrong in ${field}, and no issue names it in loc.`;
    return [
      ...unless(named.length > 0, { message, expected, actual: places.slice(0, 120) }),
      ...named
        .filter((issue) => typeof issue.in === 'string')
        .flatMap((issue) =>
          unlessEqual(issue.in, place, {
            message: `The issue about ${field} has in ${JSON.stringify(issue.in)}, but the field is in the ${place} of the request.`,
          }),
        ),
    ];
  },

  'issues-are-listed': (answer) => {
    const issues = issuesOf(answer);
    if (issues?.length === 0) return [{ message: 'The list of issues is empty.' }];
    return issues?.flatMap(({ loc, msg }, index) => {
      const isSaid = Array.isArray(loc) && loc.length > 0 && typeof msg === 'string' && msg.trim() !== '';
      const message = `Issue ${index} has an empty loc or msg.`;
      return unless(isSaid, { message, where: `/${index}` });
    });
  },
});

export const errorChapters: readonly Chapter<Reading>[] = [errorBodies, refusalBodies];

/** The issues of a validation error; `undefined` for any other answer. */
function issuesOf({ status, value }: Answer) {
  return status >= 400 && Array.isArray(value) ? value.map(asObject) : undefined;
}

const words = { general: 'a general error', validation: 'a list of issues' } as const;
