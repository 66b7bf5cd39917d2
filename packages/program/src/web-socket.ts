import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

interface UpgradingServer {
  on(event: 'upgrade', listener: UpgradeListener): unknown;
  emit(event: string, ...values: unknown[]): boolean;
  listenerCount(event: string): number;
  /** Asked whether a request is to be upgraded, from Node 24.9 on. */
  shouldUpgradeCallback?: (request: IncomingMessage) => boolean;
}

/**
 * Listens for WebSockets on a server. Any other upgrade, such as to HTTP/2 with `h2c`, becomes an ordinary request with its
 * body, unless somebody else listens for upgrades, too.
 */
export function onWebSocket(server: UpgradingServer, listener: UpgradeListener): void {
  const isOrdinary = (request: IncomingMessage): boolean =>
    !isWebSocket(request) && server.listenerCount('upgrade') === 1;
  const shouldUpgrade = server.shouldUpgradeCallback;
  if (shouldUpgrade !== undefined) {
    server.shouldUpgradeCallback = (request) => !isOrdinary(request) && shouldUpgrade.call(server, request);
  }
  server.on('upgrade', (request, socket, head) => {
    if (isOrdinary(request)) readWithoutUpgrade(server, request, socket, head);
    else listener(request, socket, head);
  });
}

function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.trim().toLowerCase() === 'websocket';
}

/** Lets a server read a request again, with a head that asks for no upgrade: an older Node takes its body for another protocol. */
function readWithoutUpgrade(
  server: UpgradingServer,
  { method, url, httpVersion, rawHeaders }: IncomingMessage,
  socket: Duplex,
  rest: Buffer,
): void {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let place = 0; place < rawHeaders.length; place += 2) {
    const [name = '', value = ''] = rawHeaders.slice(place, place + 2);
    const tokens = value.split(',').filter((token) => token.trim().toLowerCase() !== 'upgrade');
    if (name.toLowerCase() === 'connection') lines.push(`${name}: ${tokens.join(',')}`);
    else if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), rest]));
  server.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}
