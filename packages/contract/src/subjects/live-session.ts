import { decode } from '@msgpack/msgpack';
import type { LiveExchange } from '../exchange.ts';
import { isObject } from '../specification/document.ts';
import { type AskedAudio, type JudgedAudio, readAskedAudio, readAudio } from './judged-audio.ts';

/** One live socket, its messages decoded. */
export interface LiveSession {
  readonly exchange: LiveExchange;
  readonly messages: readonly DecodedMessage[];
  /** Messages from the server. */
  readonly received: readonly DecodedMessage[];
  /** The turns, each from one `start` to the next. */
  readonly turns: readonly LiveTurn[];
}

export interface DecodedMessage {
  readonly index: number;
  readonly direction: 'sent' | 'received';
  readonly frame: 'binary' | 'text';
  /** The decoded map, if the message is one. */
  readonly map?: Readonly<Record<string, unknown>>;
  readonly event?: string;
  /** Reason for a message without an event. */
  readonly problem?: string;
}

interface LiveTurn {
  readonly asked: AskedAudio | undefined;
  readonly pieces: readonly { readonly index: number; readonly bytes: Uint8Array }[];
  readonly hasStopped: boolean;
  /** The reason given by `finish`. */
  readonly finished: string | undefined;
  readonly hasError: boolean;
  readonly audio?: JudgedAudio;
}

/** Reads the messages of a session and decodes the audio of each turn. */
export async function readLiveSession(exchange: LiveExchange): Promise<LiveSession> {
  const messages = exchange.messages.map(({ direction, frame, bytes }, index): DecodedMessage => {
    const head = { index, direction, frame };
    if (frame === 'text') return { ...head, problem: 'it is a text frame' };
    try {
      const map: unknown = decode(bytes);
      if (!isObject(map)) return { ...head, problem: 'it is not a map' };
      if (typeof map.event !== 'string') return { ...head, map, problem: 'it has no string field event' };
      return { ...head, map, event: map.event };
    } catch {
      return { ...head, problem: 'it is not MessagePack' };
    }
  });
  const turns = readTurns(messages).map(async (turn): Promise<LiveTurn> => {
    // If a session did not end properly, its audio may be incomplete.
    if (turn.finished !== 'stop' || turn.pieces.length === 0) return turn;
    const joined = Buffer.concat(turn.pieces.map(({ bytes }) => bytes));
    return { ...turn, audio: await readAudio(joined, turn.asked) };
  });
  const received = messages.filter(({ direction }) => direction === 'received');
  return { exchange, messages, received, turns: await Promise.all(turns) };
}

function readTurns(messages: readonly DecodedMessage[]): readonly LiveTurn[] {
  const starts = messages.filter(({ direction, event }) => direction === 'sent' && event === 'start');
  return starts.map((start, position) => {
    const end = starts[position + 1]?.index ?? messages.length;
    const turn = messages.slice(start.index, end);
    const sent = turn.filter(({ direction }) => direction === 'sent');
    const received = turn.filter(({ direction }) => direction === 'received');
    const words = sent.filter(({ event }) => event === 'text').map(({ map }) => String(map?.text ?? ''));
    const request = readAskedAudio(start.map?.request, words.join(''));
    const finish = received.find(({ event }) => event === 'finish');
    return {
      asked: request,
      pieces: received.flatMap(({ index, event, map }) =>
        event === 'audio' && map?.audio instanceof Uint8Array ? [{ index, bytes: map.audio }] : [],
      ),
      hasStopped: sent.some(({ event }) => event === 'stop'),
      finished: finish && String(finish.map?.reason),
      hasError: received.some(({ event }) => event === 'error'),
    };
  });
}
