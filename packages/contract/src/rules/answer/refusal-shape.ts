import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';
import { refusalEntries } from '../../specification/refusals.ts';

export const refusalShape: Rule<Answer> = {
  id: 'refusal-shape',
  judge: ({ exchange, status, json }) => {
    const { expectation } = exchange;
    if (expectation?.outcome !== 'refused' || status < 400 || status >= 500 || json === undefined)
      return undefined;
    if (!('value' in json)) return undefined;
    const allowed = refusalEntries(expectation.refusals);
    if (allowed.length === 0) return undefined;
    // Where several refusals are right, the status says which of them this one is.
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
};

const words = { general: 'a general error', validation: 'a list of issues' } as const;
