import { headerNames } from '@speech-api/types/constants';
import { liveCloseCodes } from '@speech-api/types/live';
import {
  type LiveSocket,
  maximumFrameBytes,
  type OpenSocket,
  readRefusal,
  refusedUpgrade,
  type SocketHandlers,
  type SocketTarget,
  tooLargeWords,
  unreachable,
} from './socket.ts';

/** Interval for checking `bufferedAmount` while a writer waits: no event reports its decrease. */
const lookMilliseconds = 10;

/** Opens a socket with the means of the runtime: `fetch` in workerd, else the global `WebSocket`. */
export const openWebSocket: OpenSocket = (target, handlers) =>
  'WebSocketPair' in globalThis ? openByFetch(target, handlers) : openGlobal(target, handlers);

/** Bun, Deno and Node also accept an object with headers and protocols; browsers accept only a list of protocols. */
type Construct = new (url: string, options: object | string[]) => WebSocket;

function openGlobal(target: SocketTarget, handlers: SocketHandlers): Promise<LiveSocket> {
  const { url, headers, protocols, signal } = target;
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const Socket = WebSocket as unknown as Construct;
    const hasHeaders = Object.keys(headers).length > 0;
    const socket = new Socket(url, hasHeaders ? { headers, protocols: [...protocols] } : [...protocols]);
    let opened = false;
    const onAbort = (): void => {
      reject(signal.reason);
      socket.close();
    };
    signal.addEventListener('abort', onAbort, { once: true });
    const live = listen(socket, handlers, () => opened);
    socket.addEventListener('open', () => {
      opened = true;
      signal.removeEventListener('abort', onAbort);
      if (!signal.aborted) resolve(live);
    });
    socket.addEventListener('close', () => {
      signal.removeEventListener('abort', onAbort);
      // The event has no details, on purpose: a page must not learn about hosts that it may not access.
      const hidden = 'the upgrade was refused or nothing answered; this runtime does not show which';
      if (!opened) reject(unreachable(target, new Error(hidden)));
    });
    // Without a listener some runtimes report the event as an uncaught error; the close follows.
    socket.addEventListener('error', () => {});
  });
}

/** A response of workerd to an upgrade. */
interface UpgradeResponse extends Response {
  readonly webSocket?: (WebSocket & { accept(): void }) | null;
}

/** workerd sends headers by `fetch` only, and so shows why an upgrade was refused. */
async function openByFetch(target: SocketTarget, handlers: SocketHandlers): Promise<LiveSocket> {
  const { headers, protocols, signal } = target;
  const response: UpgradeResponse = await fetch(target.url.replace(/^ws/, 'http'), {
    headers: {
      ...headers,
      upgrade: 'websocket',
      ...(protocols.length > 0 && { 'sec-websocket-protocol': protocols.join(', ') }),
    },
    redirect: 'manual',
    signal,
  }).catch((cause: unknown) => {
    throw signal.aborted ? signal.reason : unreachable(target, cause);
  });
  const socket = response.webSocket;
  if (!socket) {
    const { status, headers: answered, body } = response;
    const text = body ? await readRefusal(body, signal) : '';
    throw refusedUpgrade(status, answered, target.redact(text));
  }
  const live = listen(socket, handlers, () => true, {
    protocol: response.headers.get('sec-websocket-protocol') ?? '',
    traceId: response.headers.get(headerNames.traceId) ?? undefined,
  });
  socket.accept();
  return live;
}

function listen(
  socket: WebSocket,
  handlers: SocketHandlers,
  isOpen: () => boolean,
  shown?: { readonly protocol: string; readonly traceId: string | undefined },
): LiveSocket {
  let ended = false;
  const end = (code: number, reason: string): void => {
    if (ended) return;
    ended = true;
    if (isOpen()) handlers.closed(code, reason);
  };
  // Blobs, which are the default in some runtimes, would be read too late.
  socket.binaryType = 'arraybuffer';
  socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (ended || !(data instanceof ArrayBuffer)) return;
    if (data.byteLength > maximumFrameBytes) {
      end(liveCloseCodes.tooLarge, tooLargeWords);
      socket.close();
    } else handlers.frame(new Uint8Array(data));
  });
  socket.addEventListener('close', ({ code, reason }) => end(code, reason));
  return {
    get protocol() {
      return shown?.protocol ?? socket.protocol;
    },
    traceId: shown?.traceId,
    get isOpen() {
      return !ended && socket.readyState === 1;
    },
    send(frame) {
      if (socket.readyState === 1) socket.send(frame);
    },
    unsentBytes: () => (socket.readyState === 1 ? (socket.bufferedAmount ?? 0) : 0),
    someSent: () => new Promise((resolve) => setTimeout(resolve, lookMilliseconds)),
    pause: undefined,
    resume: undefined,
    responds: undefined,
    close() {
      ended = true;
      socket.close(liveCloseCodes.finished);
    },
  };
}
