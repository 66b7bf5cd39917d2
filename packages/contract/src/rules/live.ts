import { createHash } from 'node:crypto';
import { chapter, type Problem, present, unless } from '../problem.ts';
import { show } from '../specification/field-violations.ts';
import { isKnownMessage, judgeFields } from '../subjects/fields.ts';
import { factsOf } from '../subjects/judged-audio.ts';
import type { Reading } from '../subjects/reading.ts';
import { joinedFlaws } from './timestamps.ts';

export const liveChapter = chapter(({ session }: Reading) => present(session), {
  'live-upgrade': ({ exchange }) => {
    const { request, response } = exchange.upgrade;
    if (response.status !== 101) return undefined;
    const { upgrade = '', connection = '' } = response.headers;
    const accept = response.headers['sec-websocket-accept'];
    const key = request.headers['sec-websocket-key'];
    const isAccepted = accept !== undefined && (key === undefined || accept === acceptOf(key));
    const problem = (message: string, name: string) => ({ message, where: `header ${name}` });
    return [
      ...unless(
        upgrade.toLowerCase() === 'websocket',
        problem('The 101 lacks the header upgrade: websocket.', 'upgrade'),
      ),
      ...unless(
        /\bupgrade\b/i.test(connection),
        problem('The 101 lacks the header connection: Upgrade.', 'connection'),
      ),
      ...unless(
        isAccepted,
        problem('The sec-websocket-accept of the 101 does not match the key.', 'sec-websocket-accept'),
      ),
    ];
  },

  'live-frames': ({ received }) =>
    received.flatMap(({ index, problem }) => {
      const message = `Message ${index} is not a valid message: ${problem}.`;
      return unless(problem === undefined, { message, where: `message ${index}` });
    }),

  'live-message-fields': ({ received }) =>
    judgeFields(received, ({ kind, pointer }) => kind !== 'unknown' && pointer !== '/reason'),

  'live-known-messages': ({ received }) => [
    ...judgeFields(received, ({ kind }) => kind === 'unknown'),
    ...received.flatMap(({ index, event, map }) => {
      if (event === undefined || map === undefined) return [];
      const message = `Message ${index} is ${JSON.stringify(event)}, which the specification does not know.`;
      return unless(isKnownMessage(map), { message, where: `message ${index}` });
    }),
  ],

  'live-finish-reason': ({ received }) =>
    received
      .filter(({ event }) => event === 'finish')
      .flatMap(({ index, map }) => {
        const actual = show(map?.reason);
        const message = `The reason of finish is ${actual}.`;
        const problem = { message, where: `message ${index} /reason`, expected: 'stop or error', actual };
        return unless(map?.reason === 'stop' || map?.reason === 'error', problem);
      }),

  'live-starts-with-start': ({ messages }) => {
    let isOpen = false;
    return messages.flatMap(({ index, direction, event }) => {
      if (direction === 'sent') {
        isOpen ||= event === 'start';
        return [];
      }
      if (event !== 'audio' && event !== 'finish') return [];
      const wasOpen = isOpen;
      if (event === 'finish') isOpen = false;
      const message = `Message ${index}, ${event}, comes while no session is open: before start, or after finish.`;
      return unless(wasOpen, { message, where: `message ${index}` });
    });
  },

  'live-finish-after-stop': ({ messages }) => {
    let hasStopped = false;
    return messages.flatMap(({ index, direction, event, map }) => {
      if (direction === 'sent') {
        if (event === 'stop') hasStopped = true;
        if (event === 'start') hasStopped = false;
        return [];
      }
      if (event !== 'finish' || map?.reason !== 'stop') return [];
      const message = `Message ${index} finishes with the reason stop, and the client has not said stop.`;
      return unless(hasStopped, { message, where: `message ${index}` });
    });
  },

  'live-finish-comes': ({ turns, received, exchange }) => {
    if (turns.length === 0 || exchange.expectation?.outcome === 'refused') return undefined;
    const open = turns.filter(
      ({ hasStopped, hasError, finished }) => hasStopped && !hasError && finished === undefined,
    );
    const missing = exchange.clientLeft === true ? 0 : open.length;
    const finishes = received.filter(({ event }) => event === 'finish').length;
    const times = missing > 1 ? `, ${missing} times` : '';
    return [
      ...unless(missing === 0, { message: `The client sent stop, but no finish came${times}.` }),
      ...unless(finishes <= turns.length, { message: `${finishes} finish came for ${turns.length} start.` }),
    ];
  },

  'live-audio-joins': ({ turns }) => {
    const finished = turns.filter((turn) => turn.finished === 'stop');
    if (finished.length === 0) return undefined;
    return finished.flatMap(({ pieces, audio, asked }): readonly Problem[] => {
      const empty = pieces.find(({ bytes }) => bytes.length === 0);
      if (empty !== undefined) {
        const message = `Message ${empty.index} is a piece of audio without bytes.`;
        return [{ message, where: `message ${empty.index} /audio` }];
      }
      const isWordless = asked?.letters === 0;
      if (pieces.length === 0) return unless(isWordless, { message: 'The session finished without audio.' });
      if (audio === undefined) return [];
      const flaws = joinedFlaws(audio, asked);
      const isEmpty = factsOf(audio)?.samples === 0 && !isWordless;
      return flaws.length > 0 ? flaws : unless(!isEmpty, { message: 'The joined audio has no samples.' });
    });
  },

  'live-answers': ({ exchange: { unanswered } }) =>
    unanswered?.map((awaited) => ({ message: notAnswered[awaited] })),

  'live-text-is-spoken': ({ turns }, limit) => {
    const judged = turns.filter(
      ({ asked, audio, finished }) =>
        finished === 'stop' && audio !== undefined && (asked?.letters ?? 0) >= limit('letters_at_least'),
    );
    if (judged.length === 0) return undefined;
    return judged.flatMap(({ asked, audio }) => {
      const seconds = (audio && factsOf(audio)?.seconds) ?? 0;
      const letters = asked?.letters ?? 0;
      const minimum = (letters * limit('seconds_a_letter')) / (asked?.speed ?? 1);
      const actual = `${seconds.toFixed(2)} seconds`;
      const message = `The audio of ${letters} letters lasts ${actual}: some of the text was not spoken.`;
      return unless(seconds >= minimum, {
        message,
        expected: `at least ${minimum.toFixed(2)} seconds`,
        actual,
      });
    });
  },

  'live-error-ends': ({ received, exchange }) => {
    const error = received.find(({ event }) => event === 'error');
    if (error === undefined) return undefined;
    const after = received.find(({ index }) => index > error.index);
    const isClosed = exchange.close?.by === 'server' || exchange.clientLeft === true;
    return [
      ...unless(after === undefined, {
        message: `Message ${after?.index} comes after the error.`,
        where: `message ${after?.index}`,
      }),
      ...unless(isClosed, {
        message: 'The server does not close the socket after its error.',
        where: `message ${error.index}`,
      }),
    ];
  },

  'live-close-code': ({ exchange, received, turns }) => {
    const { close, expectation } = exchange;
    if (close === undefined || close.by !== 'server') return undefined;
    const isRefused = expectation?.outcome === 'refused' || received.some(({ event }) => event === 'error');
    const isFinished = turns.length > 0 && turns.every(({ finished }) => finished !== undefined);
    const codes = isRefused ? refused : isFinished ? ended : [...ended, ...refused];
    const expected = codes.join(', ');
    const message = `The server closes with ${close.code}, not ${expected}.`;
    const problem = { message, where: 'close', expected, actual: String(close.code) };
    return unless(codes.includes(close.code), problem);
  },
});

/** RFC 6455, section 4.2.2. */
function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

/** 1005 is a close without a code; 1001 says that the server goes away. */
const ended = [1000, 1001, 1005];
const refused = [1001, 1005, 1007, 1008, 1009, 1011];

const notAnswered = {
  audio: 'No audio came after flush before the judge stopped waiting or the server closed.',
  finish: 'No finish came after stop before the judge stopped waiting or the server closed.',
  close: 'The server did not close the session that it should refuse before the judge stopped waiting.',
} as const;
