import type { IncomingMessage } from 'node:http';
import type { Server, Socket } from 'node:net';

/** Limits for a sender that continues after an early answer. */
export interface LingerLimits {
  /** Milliseconds without a byte. @defaultValue 2 000 */
  readonly quietMilliseconds?: number;
  /** Milliseconds in all. @defaultValue 30 000 */
  readonly milliseconds?: number;
  /** Bytes of one connection. @defaultValue 67 108 864 (64 MiB) */
  readonly bytes?: number;
}

const checkMilliseconds = 250;
/** At a time; further ones are reset at once. */
const mostConnections = 100;

/** Keeps connections that were answered early open for a while. */
export interface Lingerer {
  /** Notes the request that a connection sends now. */
  begins(request: IncomingMessage): void;
  /** Whether the connection has had its last answer, so that anything more that arrives is discarded. */
  isLingering(socket: Socket): boolean;
}

/**
 * Lets answers reach senders that are still sending. Linux resets a connection that is closed with unread bytes, and with
 * them goes the answer, unless it was read at once. So the server's side is closed in the usual way, and what still comes is
 * thrown away, within limits.
 */
export function lingerOn(server: Server, limits: LingerLimits = {}): Lingerer {
  const { quietMilliseconds = 2_000, milliseconds = 30_000, bytes = 64 * 1024 ** 2 } = limits;
  const current = new WeakMap<Socket, IncomingMessage>();
  const lingering = new Set<Socket>();

  const linger = (socket: Socket): void => {
    lingering.add(socket);
    const began = performance.now();
    const readBefore = socket.bytesRead;
    let read = readBefore;
    let quietChecks = 0;
    // Counted in checks: after a stall of this process its timers come before the bytes that have been waiting.
    const timer = setInterval(() => {
      quietChecks = socket.bytesRead === read ? quietChecks + 1 : 0;
      read = socket.bytesRead;
      const isOver =
        quietChecks * checkMilliseconds > quietMilliseconds ||
        performance.now() - began > milliseconds ||
        read - readBefore > bytes;
      if (isOver) socket.destroy();
    }, checkMilliseconds);
    socket.once('close', () => {
      clearInterval(timer);
      lingering.delete(socket);
    });
    socket.end();
  };

  server.on('connection', (socket: Socket) => {
    // Called by `node:http` after the last answer of a connection.
    const closeAtOnce = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      if (lingering.has(socket)) return;
      const isComplete = current.get(socket)?.complete ?? true;
      if (isComplete || lingering.size >= mostConnections) closeAtOnce();
      else linger(socket);
    };
  });

  return {
    begins: (request) => void current.set(request.socket, request),
    isLingering: (socket) => lingering.has(socket),
  };
}
