import type { Answer } from '../../answer/answer.ts';
import type { Rule } from '../../judge/rule.ts';
import { judgeChunked } from '../judge-chunked.ts';

export const audioIsDeliveredWhileMade: Rule<Answer> = {
  id: 'audio-is-delivered-while-made',
  judge: (answer) => {
    if (answer.operation?.id !== 'createSpeech' || !answer.isSuccess) return undefined;
    return judgeChunked(answer);
  },
};
