import { headerNames, operationTable } from '@speech-api/types';
import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';

export const traceIsContinued: Rule<Answer> = {
  id: 'trace-is-continued',
  judge: ({ operation, headers, asked }) => {
    const told = headers[headerNames.traceId];
    if (told === undefined || operation === undefined || !operationTable[operation.id].acceptsTraceparent)
      return undefined;
    const sent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/.exec(
      asked.traceparent ?? '',
    );
    const expected = sent?.[1];
    if (expected !== undefined) {
      return unless(told === expected, {
        message: `The answer tells the trace id ${told}, the request was sent with ${expected}.`,
        where: `header ${headerNames.traceId}`,
        expected,
        actual: told,
      });
    }
    const isTaken = asked.traceparent?.split('-')[1] === told;
    return unless(!isTaken && !/^0+$/.test(told), {
      message: `The trace id ${told} is that of a traceparent that is not valid, or none.`,
      where: `header ${headerNames.traceId}`,
      actual: told,
    });
  },
};
