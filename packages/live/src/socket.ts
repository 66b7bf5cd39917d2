/** Address of a socket, and what is sent to open it. */
export interface SocketTarget {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly protocols: readonly string[];
  /** A larger frame ends the connection where the runtime can look at the length first. */
  readonly maximumFrameBytes: number;
  /** Takes the key out of what the server answers. */
  redact(text: string): string;
  /** Ends the connecting; its reason is the error. */
  readonly signal: AbortSignal;
}

/** The listeners. They are set before a frame can arrive, so that none is lost. */
export interface SocketHandlers {
  /** A binary frame; text frames are ignored. */
  frame(bytes: Uint8Array): void;
  /** The end, once, after the last frame. `violation`: the other side broke the protocol of WebSockets. */
  closed(code: number, reason: string, violation?: unknown): void;
}

/** The WebSocket features that a connection needs, in any runtime. */
export interface LiveSocket {
  /** The subprotocol that the other side chose, or nothing. */
  readonly protocol: string;
  /** The trace id of the answer to the upgrade, where the runtime shows headers. */
  readonly traceId: string | undefined;
  /** True while neither side has closed it. */
  readonly isOpen: boolean;
  send(frame: Uint8Array<ArrayBuffer>): void;
  /** Bytes that were sent and have not left yet; 0 if the runtime does not report them. */
  unsentBytes(): number;
  /** Settles when it is worth asking {@link LiveSocket.unsentBytes} again. */
  someSent(): Promise<void>;
  /** Stops reading, so that the other side waits; undefined where the runtime cannot. */
  readonly pause: (() => void) | undefined;
  readonly resume: (() => void) | undefined;
  /** Says goodbye and ends the connection soon, whether or not the other side answers. No frame comes after it. */
  close(): void;
}

/** Opens a socket. Rejects with an error of the client's family, or with the reason of the signal. */
export type OpenSocket = (target: SocketTarget, handlers: SocketHandlers) => Promise<LiveSocket>;
