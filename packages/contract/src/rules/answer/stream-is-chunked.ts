import type { Answer } from '../../answer/answer.ts';
import type { Rule } from '../../judge/rule.ts';
import { judgeChunked } from '../judge-chunked.ts';

export const streamIsChunked: Rule<Answer> = {
  id: 'stream-is-chunked',
  judge: (answer) => {
    if (answer.operation?.id !== 'streamSpeechWithTimestamps' || !answer.isSuccess) return undefined;
    return judgeChunked(answer);
  },
};
