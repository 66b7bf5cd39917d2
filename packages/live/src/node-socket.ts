import type { IncomingMessage } from 'node:http';
import { headerNames } from '@speech-api/types/constants';
import { liveCloseCodes } from '@speech-api/types/live';
import { type RawData, WebSocket } from 'ws';
import {
  type LiveSocket,
  maximumFrameBytes,
  type OpenSocket,
  readRefusal,
  refusedUpgrade,
  tooLargeWords,
  unreachable,
} from './socket.ts';

/** Milliseconds for the other side to answer our close. */
const goodbyeMilliseconds = 500;
/** Time for the other side to answer a ping. */
const pongMilliseconds = 2000;

/** Opens a socket by `ws`: it shows why an upgrade was refused, and can be paused. */
export const openNodeSocket: OpenSocket = (target, handlers) =>
  new Promise((resolve, reject) => {
    const { signal } = target;
    signal.throwIfAborted();
    const socket = new WebSocket(target.url, [...target.protocols], {
      headers: { ...target.headers },
      // Audio is already compressed, and a compressed frame can be a bomb.
      perMessageDeflate: false,
      maxPayload: maximumFrameBytes,
      followRedirects: false,
    });
    let traceId: string | undefined;
    let failure: (Error & { readonly code?: string }) | undefined;
    let settled = false;
    let closing = false;
    const fail = (error: unknown): void => {
      settled = true;
      signal.removeEventListener('abort', onAbort);
      reject(error);
      socket.terminate();
    };
    const onAbort = (): void => fail(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    socket.on('upgrade', ({ headers }) => {
      traceId = first(headers[headerNames.traceId]);
    });
    socket.on('unexpected-response', async (_request, response) => {
      // From here on the status is known, whatever happens to the body.
      settled = true;
      signal.removeEventListener('abort', onAbort);
      const text = await readRefusal(response, signal);
      fail(refusedUpgrade(response.statusCode ?? 0, headersOf(response), target.redact(text)));
    });
    socket.on('error', (cause) => {
      failure = cause;
      if (!settled) fail(unreachable(target, cause));
    });
    socket.on('message', (data, isBinary) => {
      if (isBinary && !closing) handlers.frame(bytesOf(data));
    });
    socket.once('close', (code, reason) => {
      if (closing) return;
      // This side detects oversized frames, and the close code it sends does not come back.
      const isTooLarge = failure?.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
      if (isTooLarge) handlers.closed(liveCloseCodes.tooLarge, tooLargeWords);
      else handlers.closed(code, failure?.message ?? reason.toString());
    });
    socket.once('open', () => {
      settled = true;
      signal.removeEventListener('abort', onAbort);
      let waiting: (() => void)[] = [];
      const onSent = (): void => {
        const settle = waiting;
        waiting = [];
        for (const settled of settle) settled();
      };
      const live: LiveSocket = {
        protocol: socket.protocol,
        traceId,
        get isOpen() {
          return socket.readyState === WebSocket.OPEN;
        },
        send(frame) {
          if (socket.readyState === WebSocket.OPEN) socket.send(frame, { binary: true }, onSent);
        },
        unsentBytes: () => socket.bufferedAmount,
        someSent: () => new Promise((settle) => waiting.push(settle)),
        pause: () => socket.pause(),
        resume: () => socket.resume(),
        responds: () =>
          new Promise((answer) => {
            const timer = setTimeout(answer, pongMilliseconds, false);
            socket.once('pong', () => {
              clearTimeout(timer);
              answer(true);
            });
            socket.ping();
          }),
        close() {
          if (closing) return;
          closing = true;
          // A paused socket would not see the answer.
          socket.resume();
          socket.close(liveCloseCodes.finished);
          setTimeout(() => socket.terminate(), goodbyeMilliseconds).unref();
          onSent();
        },
      };
      socket.once('close', onSent);
      resolve(live);
    });
  });

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

function headersOf({ headers }: IncomingMessage): Headers {
  const result = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const single of [value ?? []].flat()) result.append(name, single);
  }
  return result;
}

function first(value: string | string[] | undefined): string | undefined {
  return [value].flat()[0];
}
