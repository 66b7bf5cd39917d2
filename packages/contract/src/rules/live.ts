import { createHash } from 'node:crypto';
import { type Problem, type Rules, unless } from '../problem.ts';
import { show } from '../specification/field-violations.ts';
import { judgeFields, violationsOfMessage } from '../subjects/fields.ts';
import { factsOf } from '../subjects/judged-audio.ts';
import type { LiveSession } from '../subjects/live-session.ts';

export const liveRules: Rules<LiveSession> = {
  'live-upgrade': ({ exchange }) => {
    const { request, response } = exchange.upgrade;
    if (response.status !== 101) return undefined;
    const { upgrade = '', connection = '' } = response.headers;
    const accept = response.headers['sec-websocket-accept'];
    const key = request.headers['sec-websocket-key'];
    return [
      ...unless(upgrade.toLowerCase() === 'websocket', {
        message: 'The 101 does not name the upgrade websocket.',
        where: 'header upgrade',
      }),
      ...unless(/\bupgrade\b/i.test(connection), {
        message: 'The 101 does not name the connection Upgrade.',
        where: 'header connection',
      }),
      ...unless(accept !== undefined && (key === undefined || accept === acceptOf(key)), {
        message: 'The 101 does not answer the key of the WebSocket.',
        where: 'header sec-websocket-accept',
      }),
    ];
  },

  'live-frames': ({ messages }) =>
    messages
      .filter(({ direction }) => direction === 'received')
      .flatMap(({ index, problem }) =>
        problem === undefined
          ? []
          : [{ message: `Message ${index} is not a valid message: ${problem}.`, where: `message ${index}` }],
      ),

  'live-message-fields': ({ messages }) =>
    judgeFields(messages, ({ kind, pointer }) => kind !== 'unknown' && pointer !== '/reason'),

  'live-known-messages': ({ messages }) => [
    ...judgeFields(messages, ({ kind }) => kind === 'unknown'),
    ...messages
      .filter(
        ({ direction, map, event }) =>
          direction === 'received' &&
          event !== undefined &&
          map !== undefined &&
          violationsOfMessage(map) === undefined,
      )
      .map(({ index, event }) => ({
        message: `Message ${index} is ${JSON.stringify(event)}, which the specification does not know.`,
        where: `message ${index}`,
      })),
  ],

  'live-finish-reason': ({ messages }) =>
    messages
      .filter(({ direction, event }) => direction === 'received' && event === 'finish')
      .flatMap(({ index, map }) =>
        unless(map?.reason === 'stop' || map?.reason === 'error', {
          message: `The reason of finish is ${show(map?.reason)}.`,
          where: `message ${index} /reason`,
          expected: 'stop or error',
          actual: show(map?.reason),
        }),
      ),

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
      return unless(wasOpen, {
        message: `Message ${index}, ${event}, comes while no session is open: before start, or after finish.`,
        where: `message ${index}`,
      });
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
      return unless(hasStopped, {
        message: `Message ${index} finishes with the reason stop, and the client has not said stop.`,
        where: `message ${index}`,
      });
    });
  },

  'live-finish-comes': ({ turns, messages, exchange }) => {
    if (turns.length === 0 || exchange.expectation?.outcome === 'refused') return undefined;
    const open = turns.filter(({ hasStopped, hasError }) => hasStopped && !hasError);
    const finishes = messages.filter(
      ({ direction, event }) => direction === 'received' && event === 'finish',
    ).length;
    const missing =
      exchange.clientLeft === true ? 0 : open.filter(({ finished }) => finished === undefined).length;
    return [
      ...unless(missing === 0, {
        message: `The client has said stop, and no finish came${missing > 1 ? `, ${missing} times` : ''}.`,
      }),
      ...unless(finishes <= turns.length, { message: `${finishes} finish came for ${turns.length} start.` }),
    ];
  },

  'live-audio-joins': ({ turns }) => {
    const finished = turns.filter((turn) => turn.finished === 'stop');
    if (finished.length === 0) return undefined;
    return finished.flatMap(({ pieces, audio, asked }): Problem[] => {
      const empty = pieces.find(({ bytes }) => bytes.length === 0);
      if (empty !== undefined)
        return [
          {
            message: `Message ${empty.index} is a piece of audio without bytes.`,
            where: `message ${empty.index} /audio`,
          },
        ];
      if (pieces.length === 0)
        return asked?.letters === 0 ? [] : [{ message: 'The session is finished, and no audio came.' }];
      if (audio === undefined) return [];
      if ('failure' in audio.inspected)
        return [{ message: `The joined audio can't be decoded: ${audio.inspected.failure}.` }];
      const { format, described, damage, cut, samples } = audio.inspected.facts;
      if (asked !== undefined && format !== asked.format)
        return [
          {
            message: `The joined audio is ${described}, not ${asked.format}.`,
            expected: asked.format,
            actual: described,
          },
        ];
      if (samples === 0 && asked?.letters !== 0)
        return [{ message: `The joined audio is ${described} without a single sample.` }];
      return [...damage.slice(0, 1), ...(cut === undefined ? [] : [cut])].map(({ message, byte }) => ({
        message: `The joined audio is not complete: ${message}.`,
        where: `byte ${byte}`,
      }));
    });
  },

  'live-answers': ({ exchange }) => {
    if (exchange.unanswered === undefined) return undefined;
    return exchange.unanswered.map((awaited) => ({ message: unanswered[awaited] }));
  },

  'live-text-is-spoken': ({ turns }, limit) => {
    const judged = turns.filter(
      ({ asked, audio, finished }) =>
        finished === 'stop' && audio !== undefined && (asked?.letters ?? 0) >= limit('letters_at_least'),
    );
    if (judged.length === 0) return undefined;
    return judged.flatMap(({ asked, audio }) => {
      const seconds = audio === undefined ? 0 : (factsOf(audio)?.seconds ?? 0);
      const letters = asked?.letters ?? 0;
      const minimum = (letters * limit('seconds_a_letter')) / (asked?.speed ?? 1);
      return unless(seconds >= minimum, {
        message: `The audio of ${letters} letters lasts ${seconds.toFixed(2)} seconds: some of the text was not spoken.`,
        expected: `at least ${minimum.toFixed(2)} seconds`,
        actual: `${seconds.toFixed(2)} seconds`,
      });
    });
  },

  'live-error-ends': ({ messages, exchange }) => {
    const error = messages.find(({ direction, event }) => direction === 'received' && event === 'error');
    if (error === undefined) return undefined;
    const after = messages.find(({ direction, index }) => direction === 'received' && index > error.index);
    return [
      ...unless(after === undefined, {
        message: `Message ${after?.index} comes after the error.`,
        where: `message ${after?.index}`,
      }),
      ...unless(exchange.close?.by === 'server' || exchange.clientLeft === true, {
        message: 'The server does not close the socket after its error.',
        where: `message ${error.index}`,
      }),
    ];
  },

  'live-close-code': ({ exchange, messages, turns }) => {
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

/** RFC 6455, section 4.2.2. */
function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

/** 1005 is a close without a code; 1001 says that the server goes away. */
const ended = [1000, 1001, 1005];
const refused = [1001, 1005, 1007, 1008, 1009, 1011];

const unanswered = {
  audio: 'No audio came after flush before the judge stopped waiting or the server closed.',
  finish: 'No finish came after stop before the judge stopped waiting or the server closed.',
  close: 'The server did not close the session that it should refuse before the judge stopped waiting.',
} as const;
