import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { onWebSocket } from './web-socket.ts';

/** A server that answers with what it read; with `isOld` it upgrades like Node 20, which asks nobody. */
async function start(isOld: boolean) {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    response.end(`${request.method} ${body} ${request.headers['x-name']}.`);
  });
  if (isOld) Object.assign(server, { shouldUpgradeCallback: undefined });
  const webSockets: IncomingMessage[] = [];
  onWebSocket(server, (request, socket) => {
    webSockets.push(request);
    socket.end();
  });
  if (isOld) Object.assign(server, { shouldUpgradeCallback: () => true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  onTestFinished(() => void socket.destroy());
  return { server, socket, webSockets };
}

const h2c =
  'Host: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\nX-Name: \xe9\r\n';
const pieces = {
  'a length': [`${h2c}Content-Length: 10\r\n\r\n01234`, '56789'],
  chunks: [`${h2c}Transfer-Encoding: chunked\r\n\r\n5\r\n01234`, '\r\n5\r\n56789\r\n0\r\n\r\n'],
};

test.each([false, true])(
  'a POST that offers another protocol is read with its body, many on one connection (old: %s)',
  async (isOld) => {
    const { socket, webSockets } = await start(isOld);
    for (const [first, second] of [...Object.values(pieces), ...Object.values(pieces)]) {
      socket.write(`POST / HTTP/1.1\r\n${first}`, 'latin1');
      await new Promise((resolve) => setTimeout(resolve, 20));
      socket.write(second as string);
      expect((await once(socket, 'data')).join()).toContain('POST 0123456789 \xe9.');
    }
    expect(webSockets).toEqual([]);
  },
);

test.each([false, true])('close is kept, and ends the connection (old: %s)', async (isOld) => {
  const { socket } = await start(isOld);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade, close\r\nUpgrade: h2c\r\n\r\n');
  const answer = (await socket.toArray()).join('');
  expect(answer).toContain('Connection: close');
});

test.each([false, true])(
  'WebSockets reach their listener, and so does all that somebody else listens for (old: %s)',
  async (isOld) => {
    const { server, socket, webSockets } = await start(isOld);
    const webSocket = `GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\n\r\n`;
    socket.write(webSocket);
    await once(socket, 'end');
    server.on('upgrade', () => {});
    const other = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
    other.write('GET /other HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
    await once(other, 'end');
    expect(webSockets.map(({ url }) => url)).toEqual(['/live', '/other']);
  },
);
