import { connect } from 'node:net';
import type { RunningSandbox } from '../start-sandbox.ts';

/** A connection on which a test writes what it likes. */
export async function openRaw(sandbox: RunningSandbox) {
  const socket = connect(sandbox.port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A reset is one of the ways a connection may end; tests look at what came before.
  socket.on('error', () => {});
  const received = (): string => Buffer.concat(chunks).toString('latin1');
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    socket,
    received,
    closed,
    /** Settles when what came back contains the text. */
    until: (text: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!received().includes(text)) return;
          socket.off('data', look);
          resolve();
        };
        socket.on('data', look);
        look();
      }),
  };
}
