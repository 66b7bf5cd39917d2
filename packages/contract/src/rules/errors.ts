import { mediaTypes } from '@speech-api/types';
import { type Rules, unless } from '../problem.ts';
import { asObject, isObject, openApi } from '../specification/document.ts';
import { fieldViolations } from '../specification/field-violations.ts';
import { refusalEntries } from '../specification/rules.ts';
import type { Answer } from '../subjects/answer.ts';

export const errorRules: Rules<Answer> = {
  'error-body-shape': ({ status, json, body, mediaType, operation }) => {
    if (status < 400 || json === undefined) return undefined;
    // The interface defines the bodies of each endpoint. A gateway or an unknown path may answer differently.
    const severity = status >= 500 || operation === undefined ? { severity: 'warning' as const } : {};
    if (!('value' in json)) {
      return [
        {
          message: `The body of a ${status} is not an error of the contract: ${json.problem}.`,
          actual: `${body.length} bytes of ${mediaType || 'no media type'}`,
          ...severity,
        },
      ];
    }
    const { value } = json;
    const schema = Array.isArray(value) ? 'ValidationError' : 'GeneralError';
    const broken = fieldViolations(openApi(), { $ref: `#/components/schemas/${schema}` }, value);
    return broken
      .filter(({ kind }) => kind !== 'unknown')
      .map(({ message, pointer, expected, actual, isOurs }) => ({
        message: `The body of a ${status} is neither a general error nor a list of issues: ${message}`,
        where: pointer,
        ...(expected !== undefined && { expected }),
        ...(actual !== undefined && { actual }),
        // The interface lists `ctx` too, and services with the same interface leave it out.
        ...(isOurs && pointer.endsWith('/ctx') && { severity: 'warning' as const }),
        ...severity,
      }));
  },

  'error-body-status': ({ status, json }) => {
    if (status < 400 || json === undefined || !('value' in json) || !isObject(json.value)) return undefined;
    const told = json.value.status;
    if (typeof told !== 'number') return undefined;
    return unless(told === status, {
      message: `The body says the status ${told}, the answer has ${status}.`,
      where: '/status',
      expected: String(status),
      actual: String(told),
    });
  },

  'error-media-type': ({ status, mediaType, body }) => {
    if (status < 400 || body.length === 0) return undefined;
    return unless(mediaType === mediaTypes.json, {
      message: `The body of a ${status} is called ${mediaType === '' ? 'nothing' : mediaType}, not ${mediaTypes.json}.`,
      where: 'header content-type',
      expected: mediaTypes.json,
      actual: mediaType ?? 'no media type',
    });
  },

  'refusal-shape': ({ exchange, status, json }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused' || status < 400 || status >= 500 || json === undefined)
      return undefined;
    if (!('value' in json)) return undefined;
    const allowed = refusalEntries(expectation.refusals);
    if (allowed.length === 0) return undefined;
    // If several refusals are right, the status says which of them this is.
    const ofStatus = allowed.filter((entry) => entry.status === status);
    const entries = ofStatus.length > 0 ? ofStatus : allowed;
    const shape = Array.isArray(json.value) ? 'validation' : 'general';
    const expected = [...new Set(entries.map(({ body }) => words[body]))].join(' or ');
    return unless(
      entries.some(({ body }) => body === shape),
      {
        message: `The request is refused with ${words[shape]}, not ${expected}: ${expectation.because}.`,
        expected,
        actual: words[shape],
      },
    );
  },

  'issues-name-their-part': ({ operation, status, json }) => {
    if (operation === undefined || !operation.issuesNamePart || status < 400 || json === undefined)
      return undefined;
    if (!('value' in json) || !Array.isArray(json.value)) return undefined;
    return json.value.flatMap((issue, index) =>
      unless(isObject(issue) && typeof issue.in === 'string', {
        message: `Issue ${index} does not say which part of the request it is in.`,
        where: `/${index}/in`,
      }),
    );
  },

  'issues-name-the-field': ({ exchange, status, json }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused' || expectation.field === undefined || status < 400)
      return undefined;
    if (json === undefined || !('value' in json) || !Array.isArray(json.value)) return undefined;
    const { field } = expectation;
    const [name = field] = field.split('.').toReversed();
    const issues = json.value.map(asObject);
    const named = issues.filter(({ loc }) => Array.isArray(loc) && loc.map(String).includes(name));
    const place = exchange.request.method === 'GET' ? 'query' : 'body';
    return [
      ...unless(named.length > 0, {
        message: `The request is wrong in ${field}, and no issue names it in loc.`,
        expected: name,
        actual: issues
          .map(({ loc }) => JSON.stringify(loc))
          .join(', ')
          .slice(0, 120),
      }),
      ...named.flatMap((issue) =>
        unless(typeof issue.in !== 'string' || issue.in === place, {
          message: `The issue about ${field} names the part ${JSON.stringify(issue.in)} of the request; the field is in its ${place}.`,
          expected: place,
          actual: String(issue.in),
        }),
      ),
    ];
  },

  'issues-are-listed': ({ status, json }) => {
    if (status < 400 || json === undefined || !('value' in json) || !Array.isArray(json.value))
      return undefined;
    if (json.value.length === 0) return [{ message: 'The list of issues is empty.' }];
    return json.value.flatMap((issue, index) => {
      const { loc, msg } = asObject(issue);
      const isSaid = Array.isArray(loc) && loc.length > 0 && typeof msg === 'string' && msg.trim() !== '';
      return unless(isSaid, {
        message: `Issue ${index} names no place or says nothing.`,
        where: `/${index}`,
      });
    });
  },
};

const words = { general: 'a general error', validation: 'a list of issues' } as const;
