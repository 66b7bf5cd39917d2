import type { Answer } from '../../answer/answer.ts';
import type { Rule } from '../../judge/rule.ts';
import { openApi } from '../../specification/document.ts';
import { fieldViolations } from '../../specification/field-violations.ts';

export const errorBodyShape: Rule<Answer> = {
  id: 'error-body-shape',
  judge: ({ status, json, body, mediaType }) => {
    if (status < 400 || json === undefined) return undefined;
    if (!('value' in json)) {
      return [
        {
          message: `The body of a ${status} is no error of the contract: ${json.problem}.`,
          actual: `${body.length} bytes of ${mediaType || 'no media type'}`,
        },
      ];
    }
    const { value } = json;
    const schema = Array.isArray(value) ? 'ValidationError' : 'GeneralError';
    const broken = fieldViolations(openApi(), { $ref: `#/components/schemas/${schema}` }, value);
    return broken
      .filter(({ kind }) => kind !== 'unknown')
      .map(({ message, pointer, expected, actual }) => ({
        message: `The body of a ${status} is neither a general error nor a list of issues: ${message}`,
        where: pointer,
        ...(expected !== undefined && { expected }),
        ...(actual !== undefined && { actual }),
      }));
  },
};
