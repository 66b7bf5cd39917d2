import type { Answer } from '../answer/answer.ts';
import type { Verdict } from '../judge/rule.ts';

/** Whether a body came in chunks, while it was made. `undefined` over a version of HTTP that has its own frames. */
export function judgeChunked({ exchange, headers }: Answer): Verdict {
  const length = headers['content-length'];
  if (length !== undefined) {
    const message = `The length of the body, ${length}, is known before: it was not delivered while it was made.`;
    return [{ message, where: 'header content-length', actual: length }];
  }
  const { httpVersion } = exchange.response;
  if (httpVersion !== undefined && httpVersion !== '1.1') return undefined;
  const coding = headers['transfer-encoding'];
  // A recording may lack the headers of the connection.
  if (coding === undefined && httpVersion === undefined) return undefined;
  if (coding?.toLowerCase() === 'chunked') return [];
  const actual = coding ?? 'none';
  return [
    {
      message: `The transfer-encoding is ${actual}, not chunked.`,
      where: 'header transfer-encoding',
      expected: 'chunked',
      actual,
    },
  ];
}
