import { decode } from '@msgpack/msgpack';
import type { LiveExchange } from '../exchange.ts';
import { isObject } from '../specification/document.ts';
import { decodeLimits } from './answer.ts';
import { type AskedAudio, type JudgedAudio, readAskedAudio } from './judged-audio.ts';

/** One live socket, its messages decoded. */
export interface LiveSession {
  readonly exchange: LiveExchange;
  readonly messages: readonly DecodedMessage[];
  /** From one `start` to the next. */
  readonly turns: readonly LiveTurn[];
}

export interface DecodedMessage {
  readonly index: number;
  readonly direction: 'sent' | 'received';
  readonly frame: 'binary' | 'text';
  /** The map, when it is one. */
  readonly map?: Readonly<Record<string, unknown>>;
  readonly event?: string;
  /** Reason why there is no event. */
  readonly problem?: string;
}

interface LiveTurn {
  readonly asked?: AskedAudio;
  readonly pieces: readonly { readonly index: number; readonly bytes: Uint8Array }[];
  readonly hasStopped: boolean;
  /** The reason of `finish`. */
  readonly finished?: string;
  readonly hasError: boolean;
  readonly audio?: JudgedAudio;
}

export function readLiveSession(exchange: LiveExchange): LiveSession {
  const messages = exchange.messages.map(({ direction, frame, bytes }, index): DecodedMessage => {
    const head = { index, direction, frame };
    if (frame === 'text') return { ...head, problem: 'it is a text frame' };
    try {
      const map: unknown = decode(bytes, decodeLimits(bytes));
      if (!isObject(map)) return { ...head, problem: 'it is not a map' };
      if (typeof map.event !== 'string') return { ...head, map, problem: 'it has no string field event' };
      return { ...head, map, event: map.event };
    } catch {
      return { ...head, problem: 'it is not MessagePack' };
    }
  });
  return { exchange, messages, turns: readTurns(messages) };
}

function readTurns(messages: readonly DecodedMessage[]): readonly LiveTurn[] {
  const starts = messages.filter(({ direction, event }) => direction === 'sent' && event === 'start');
  return starts.map((start, position) => {
    const end = starts[position + 1]?.index ?? messages.length;
    const turn = messages.slice(start.index, end);
    const sent = turn.filter(({ direction }) => direction === 'sent');
    const received = turn.filter(({ direction }) => direction === 'received');
    const words = sent.filter(({ event }) => event === 'text').map(({ map }) => String(map?.text ?? ''));
    const asked = readAskedAudio(start.map?.request, words.join(''));
    const finish = received.find(({ event }) => event === 'finish');
    return {
      ...(asked !== undefined && { asked }),
      pieces: received.flatMap(({ index, event, map }) =>
        event === 'audio' && map?.audio instanceof Uint8Array ? [{ index, bytes: map.audio }] : [],
      ),
      hasStopped: sent.some(({ event }) => event === 'stop'),
      ...(finish !== undefined && { finished: String(finish.map?.reason) }),
      hasError: received.some(({ event }) => event === 'error'),
    };
  });
}
