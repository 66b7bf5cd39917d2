import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode, encode } from '@msgpack/msgpack';
import { WebSocket } from 'ws';

interface Message {
  readonly event: string;
  readonly audio?: Uint8Array;
  readonly reason?: string;
  readonly message?: string;
  readonly error?: string;
}

/** Milliseconds between two words, as a language model writes them. */
const wordPause = 80;

/**
 * One socket of somebody who talks with a machine: a sentence comes word by word and is spoken, then it is the other's
 * turn for a while, then the next session begins on the same socket.
 */
export async function runSession(
  url: string,
  caller: { readonly index: number; readonly key: string; readonly turnSeconds: number },
  figures: Figures,
  until: number,
): Promise<void> {
  try {
    await sleep((caller.index % 200) * 50);
    const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/tts/live`, {
      headers: { authorization: `Bearer ${caller.key}`, model: 's2-pro' },
    });
    await once(socket, 'open');
    let failure: Error | undefined;
    socket.on('error', (error) => {
      failure = error;
    });
    socket.on('close', (code) => {
      if (!finished) failure ??= new Error(`closed with ${code}`);
    });
    let finished = false;
    for (let round = 0; Date.now() < until; round += 1) {
      const began = Date.now();
      await runTurn(socket, caller.index, round, figures);
      if (failure) throw failure;
      figures.done += 1;
      const rest = Math.min(began + caller.turnSeconds * 1000, until) - Date.now();
      if (rest > 0) await sleep(rest);
    }
    finished = true;
    socket.close();
  } catch (error) {
    noteError(figures, error);
  }
}

async function runTurn(socket: WebSocket, index: number, round: number, figures: Figures): Promise<void> {
  const format = formats[(index + round) % formats.length];
  let spoken = performance.now();
  let heard = false;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onMessage = (data: Buffer) => {
    const message = decode(data) as Message;
    if (message.event === 'audio') {
      if (!heard) figures.firstAudio.push(performance.now() - spoken);
      heard = true;
      figures.bytes += message.audio?.length ?? 0;
    } else if (message.event === 'finish' && message.reason === 'stop') resolve();
    else reject(new Error(`${message.event}: ${message.error ?? message.message ?? message.reason}`));
  };
  const onClose = (code: number) => reject(new Error(`closed with ${code} in a session`));
  socket.on('message', onMessage);
  socket.on('close', onClose);
  try {
    const send = (message: object) => socket.send(encode(message));
    send({ event: 'start', request: { text: '', format, latency: 'balanced' } });
    for (const word of textOf(index, round, 1).match(/\S+\s*/gu) ?? []) {
      send({ event: 'text', text: word });
      await sleep(wordPause);
    }
    spoken = performance.now();
    send({ event: 'stop' });
    await promise;
  } finally {
    socket.off('message', onMessage);
    socket.off('close', onClose);
  }
}

/** Seconds that a text of four sentences lasts, about. */
const clipSeconds = 22;

/**
 * One caller who listens: asks for a clip, reads it in sips, and asks for the next when this one would have been heard to
 * its end. Every second one reads the timestamp stream.
 */
export async function runStream(
  url: string,
  caller: { readonly index: number; readonly key: string },
  figures: Figures,
  until: number,
): Promise<void> {
  const path = caller.index % 2 === 0 ? '/v1/tts' : '/v1/tts/stream/with-timestamp';
  // Not all at the same moment, as callers are.
  await sleep((caller.index % 50) * 100);
  for (let round = 0; Date.now() < until; round += 1) {
    try {
      const format = formats[(caller.index + round) % formats.length];
      const body = JSON.stringify({ text: textOf(caller.index, round, 4), format });
      const asked = performance.now();
      const response = await fetch(url + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${caller.key}`,
          model: 's2-pro',
          'content-type': 'application/json',
        },
        body,
      });
      if (response.status !== 200 || response.body === null) {
        throw new Error(`${path} answered ${response.status}: ${(await response.text()).slice(0, 100)}`);
      }
      let chunks = 0;
      for await (const chunk of response.body) {
        if (chunks === 0) figures.firstAudio.push(performance.now() - asked);
        chunks += 1;
        figures.bytes += chunk.length;
        if (Date.now() < until) await sleep(20);
      }
      figures.done += 1;
      const played = (performance.now() - asked) / 1000;
      await sleep(Math.max(0, Math.min((clipSeconds - played) * 1000, until - Date.now())));
    } catch (error) {
      noteError(figures, error);
      await sleep(100);
    }
  }
}

const sentences = [
  'The ferry leaves at half past six, and the baker opens a little earlier on days like this.',
  'Please bring the blue folder, two pens and the list of names that we printed on Monday.',
  'It rained for three days, then the river came over the wall and into the lower garden.',
  'Nobody at the station knew why the train had stopped, or when it would go on again.',
  'She wrote down every number from the meter, and they added up to one hundred and twelve.',
  'If the light is green, you may open the valve; if it is red, call the number on the door.',
] as const;

/** So many sentences, others for each caller and round, and the same in each run. */
export function textOf(caller: number, round: number, count: number): string {
  return Array.from(
    { length: count },
    (_, index) => sentences[(caller + round + index) % sentences.length],
  ).join(' ');
}

export const formats = ['mp3', 'opus', 'wav', 'pcm'] as const;

/** What callers have seen. */
export interface Figures {
  /** Calls or sessions that came to their end. */
  done: number;
  /** How often what went wrong, by its words. */
  readonly errors: Map<string, number>;
  /** Milliseconds to the first audio. */
  readonly firstAudio: number[];
  bytes: number;
}

export function newFigures(): Figures {
  return { done: 0, errors: new Map(), firstAudio: [], bytes: 0 };
}

export function noteError(figures: Figures, error: unknown): void {
  const words = error instanceof Error ? error.message : String(error);
  figures.errors.set(words, (figures.errors.get(words) ?? 0) + 1);
}

/** @param share 0 to 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

export function summary(figures: Figures): Record<string, number | string> {
  const { done, errors, firstAudio, bytes } = figures;
  return {
    done,
    errors: [...errors.values()].reduce((sum, count) => sum + count, 0),
    'first audio p50 (ms)': percentile(firstAudio, 0.5),
    'first audio p95 (ms)': percentile(firstAudio, 0.95),
    'first audio p99 (ms)': percentile(firstAudio, 0.99),
    'received (MB)': Math.round(bytes / 1e6),
  };
}
