import type { Answer } from '../../answer/answer.ts';
import { type Rule, unless } from '../../judge/rule.ts';

export const bodyComplete: Rule<Answer> = {
  id: 'body-complete',
  judge: ({ exchange, headers, body, operation, isSuccess }) => {
    const { ended } = exchange.response;
    // Of a stream that breaks off a rule of its own speaks; what we stopped reading ourselves is not judged.
    if (exchange.response.isBodyMissing === true) return undefined;
    if (ended === 'too-large' || (isSuccess && operation?.id === 'streamSpeechWithTimestamps'))
      return undefined;
    if (ended !== 'complete') {
      const how = ended === 'cut' ? 'breaks off' : 'does not end';
      return [{ message: `The body ${how} after ${body.length} bytes.`, where: `byte ${body.length}` }];
    }
    const length = headers['content-length'];
    // Both headers speak about the bytes on the wire; the body is what they were decoded to.
    if (length === undefined || headers['content-encoding'] !== undefined) return [];
    if (exchange.request.method === 'HEAD') return [];
    return unless(Number(length) === body.length, {
      message: `The body has ${body.length} bytes, its content-length says ${length}.`,
      where: 'header content-length',
      expected: String(body.length),
      actual: length,
    });
  },
};
