import { mediaTypes } from '@speech-api/types';
import { type Rules, unless, unlessEqual } from '../problem.ts';
import { asObject } from '../specification/document.ts';
import { refusalEntries } from '../specification/rules.ts';
import type { Answer } from '../subjects/answer.ts';
import { violationsOfError } from '../subjects/fields.ts';
import { judgeMediaType } from './delivery.ts';

export const errorRules: Rules<Answer> = {
  'error-body-shape': ({ status, value, unreadable, body, mediaType, operation }) => {
    if (status < 400) return undefined;
    // The interface defines the bodies of each endpoint. A gateway or an unknown path may answer differently.
    const severity = status >= 500 || operation === undefined ? 'warning' : undefined;
    if (unreadable !== undefined) {
      const message = `The body of a ${status} is not an error as the contract defines it: ${unreadable}.`;
      return [{ message, actual: `${body.length} bytes of ${mediaType || 'no media type'}`, severity }];
    }
    if (value === undefined) return undefined;
    return violationsOfError(value)
      .filter(({ kind }) => kind !== 'unknown')
      .map(({ message, pointer, expected, actual }) => ({
        message: `The body of a ${status} is neither a general error nor a list of issues: ${message}`,
        where: pointer,
        expected,
        actual,
        // The interface lists `ctx` too, and services with the same interface leave it out.
        severity: pointer.endsWith('/ctx') ? 'warning' : severity,
      }));
  },

  'error-body-status': ({ status, object }) => {
    const told = object?.status;
    if (status < 400 || typeof told !== 'number') return undefined;
    const message = `The body says status ${told}, but the answer has ${status}.`;
    return unlessEqual(told, status, { message, where: '/status' });
  },

  'error-media-type': (answer) => {
    const { status, body } = answer;
    if (status < 400 || body.length === 0) return undefined;
    return judgeMediaType(answer, mediaTypes.json, `The body of a ${status}`);
  },

  'refusal-shape': ({ exchange, status, value }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused' || status < 400 || status >= 500 || value === undefined)
      return undefined;
    const allowed = refusalEntries(expectation.refusals);
    if (allowed.length === 0) return undefined;
    // If several refusals are right, the status says which of them this is.
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
};

/** The issues of a validation error; `undefined` for any other answer. */
function issuesOf({ status, value }: Answer) {
  return status >= 400 && Array.isArray(value) ? value.map(asObject) : undefined;
}

const words = { general: 'a general error', validation: 'a list of issues' } as const;
