import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode, encode } from '@msgpack/msgpack';
import { WebSocket } from 'ws';
import { type Figures, noteError } from './figures.ts';
import { formats, textOf } from './texts.ts';

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
