import { ConnectionError, ProtocolError, type SpeechError } from '@speech-api/client';
import { parseError } from '@speech-api/client/shared';
import { statusError } from './messages.ts';

/** Address of a socket, and what is sent to open it. */
export interface SocketTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols: readonly string[];
  /** The agent of Node that makes the connection, such as one for a proxy. */
  readonly agent: object | undefined;
  /** Removes the key from the server's answer. */
  redact(text: string): string;
  /** Aborts the opening with its reason as the error. */
  readonly signal: AbortSignal;
}

/** A larger frame of the server ends the connection, and its utterance. */
export const maximumFrameBytes: number = 16 * 1024 * 1024;
export const tooLargeWords: string = `a frame is larger than ${maximumFrameBytes} bytes`;

/** The listeners of a socket, set before the first frame can arrive so that none is lost. */
export interface SocketHandlers {
  /** A binary frame; text frames are ignored. */
  frame(bytes: Uint8Array): void;
  /** Called once after the last frame. */
  closed(code: number, reason: string): void;
}

/** The WebSocket features that a connection needs, in any runtime. */
export interface LiveSocket {
  /** The subprotocol that the other side chose, if any. */
  readonly protocol: string;
  /** The trace id of the answer to the upgrade, where the runtime shows headers. */
  readonly traceId: string | undefined;
  /** True until either side closes it. */
  readonly isOpen: boolean;
  send(frame: Uint8Array<ArrayBuffer>): void;
  /** Bytes that are still in the send buffer; 0 if the runtime does not report them. */
  unsentBytes(): number;
  /** Settles when {@link LiveSocket.unsentBytes} may have changed. */
  someSent(): Promise<void>;
  /** Stops reading, so that the other side waits; undefined where the runtime cannot. */
  readonly pause: (() => void) | undefined;
  readonly resume: (() => void) | undefined;
  /** Checks whether the other side still answers; undefined if the runtime has no ping. */
  readonly responds: (() => Promise<boolean>) | undefined;
  /** Closes the connection soon, whether or not the other side answers. No frame arrives after it. */
  close(): void;
}

/** Opens a socket. Rejects with an error of the client's family, or with the reason of the signal. */
export type OpenSocket = (target: SocketTarget, handlers: SocketHandlers) => Promise<LiveSocket>;

/** The error for a server that does not answer. It omits the path of the address, which may hold a secret. */
export function unreachable({ url, redact }: SocketTarget, cause: unknown): ConnectionError {
  const { code, message } = cause as Error & { readonly code?: unknown };
  const place = `${new URL(url).origin} (${redact(String(code ?? message))})`;
  const words = `could not connect to ${place}; check the address, and that the server is running`;
  return new ConnectionError(`openLiveSession: ${words}`, { cause });
}

/** The error for an upgrade that was not answered with 101. */
export function refusedUpgrade(status: number, headers: Headers, text: string): SpeechError {
  if (status >= 300 && status < 400) {
    return new ProtocolError(
      `openLiveSession: ${status} redirects elsewhere, and a key is not sent to another address; set webSocketUrl`,
      { status },
    );
  }
  if (status < 300) {
    return new ProtocolError(`openLiveSession: ${status} answers the upgrade, which takes 101`, { status });
  }
  return statusError(status, parseError(text), undefined, headers);
}

/** Maximum characters of the body of a refused upgrade, and the time to read them. */
const maximumRefusalLength = 65_536;
const refusalMilliseconds = 1000;

/** The body of a refused upgrade, or the part of it that arrived in time. */
export async function readRefusal(body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  const read = async (): Promise<void> => {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > maximumRefusalLength) break;
    }
  };
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, refusalMilliseconds);
    signal.addEventListener('abort', () => resolve(), { once: true });
    // If the body breaks off, the status is enough.
    read()
      .then(resolve, () => resolve())
      .finally(() => clearTimeout(timer));
  });
  return text.slice(0, maximumRefusalLength);
}
