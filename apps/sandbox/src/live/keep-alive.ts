import { WebSocket } from 'ws';

const pingMilliseconds = 20_000;
/** Three pings without an answer, nor any other sign. */
const silentMilliseconds = 65_000;
/** A peer that reads slowly, or has paused, cannot see a ping before what was sent ahead of it. */
const stalledMilliseconds = 300_000;

/**
 * Pings the peer, and cuts a connection behind which nobody is any more.
 *
 * @returns what ends it
 */
export function keepAlive(socket: WebSocket): () => void {
  let heard = performance.now();
  const onSign = () => {
    heard = performance.now();
  };
  for (const sign of ['message', 'pong', 'ping'] as const) socket.on(sign, onSign);
  const timer = setInterval(() => {
    const silent = performance.now() - heard;
    if (silent > (socket.bufferedAmount > 0 ? stalledMilliseconds : silentMilliseconds)) socket.terminate();
    else if (socket.readyState === WebSocket.OPEN) socket.ping();
  }, pingMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}
