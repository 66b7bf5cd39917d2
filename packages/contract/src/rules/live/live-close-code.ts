import { type Rule, unless } from '../../judge/rule.ts';
import type { LiveSession } from '../../subjects/live-session.ts';

export const liveCloseCode: Rule<LiveSession> = {
  id: 'live-close-code',
  judge: ({ exchange, messages, turns }) => {
    const { close } = exchange;
    if (close === undefined || close.by !== 'server') return undefined;
    const isRefused = messages.some(({ direction, event }) => direction === 'received' && event === 'error');
    const isFinished = turns.length > 0 && turns.every(({ finished }) => finished !== undefined);
    const expected =
      isRefused || exchange.expectation?.outcome === 'refused'
        ? refused
        : isFinished
          ? ended
          : [...ended, ...refused];
    return unless(expected.includes(close.code), {
      message: `The server closes with ${close.code}, not ${expected.join(', ')}.`,
      where: 'close',
      expected: expected.join(', '),
      actual: String(close.code),
    });
  },
};

/** 1005 is a close without a code; 1001 says that the server goes away. */
const ended = [1000, 1001, 1005];
const refused = [1001, 1005, 1007, 1008, 1009, 1011];
