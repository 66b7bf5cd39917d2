import { AbortError, ConfigurationError, ConnectionError } from '@speech-api/client';
import { liveIdleSeconds } from '@speech-api/types/live';
import type { LiveConnection } from './connection.ts';
import { Deadline } from './life.ts';

/** Limits on the number of connections in a pool and on their age. */
export interface LivePoolOptions {
  /** Connections at once, those in use included. Keep it within the concurrency of your key. @defaultValue 4 */
  readonly maximum?: number | undefined;
  /**
   * Milliseconds without use after which a connection is closed and another one opened in its place: below the time
   * after which the server would close it. @defaultValue two thirds of the service's idle time, 20000
   */
  readonly retireMilliseconds?: number | undefined;
}

/** Connections that are open before they are needed. */
export interface LivePool {
  /**
   * An open connection, or a new one where none is ready. With `maximum` in use it waits until one is given back.
   * `close()` of the connection gives it back.
   *
   * @throws what `connectLive` throws, `AbortError`, and `ConnectionError` after `close`
   */
  take(options?: { readonly signal?: AbortSignal | undefined }): Promise<LiveConnection>;
  /** Connections that are open and not in use. */
  readonly ready: number;
  /** Connections in use. */
  readonly taken: number;
  /** Closes what is not in use, and each other connection when it is given back. */
  close(): void;
}

interface Waiting {
  readonly give: (connection: LiveConnection) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Keeps live connections open, so that an agent's next answer does not wait for one.
 *
 * One is ready as far as `maximum` allows, and those that were given back are kept until they retire. All are made by
 * `connect`, so a pool has one address, key and model.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 * import { connectLive, createLivePool } from '@speech-api/live';
 *
 * const client = createSpeechClient();
 * const pool = createLivePool(() => connectLive(client, { format: 'mp3' }));
 * const connection = await pool.take();
 * let bytes = 0;
 * for await (const audio of connection.speak('The tide comes in at seven.')) bytes += audio.length;
 * connection.close();
 * pool.close();
 * console.log(bytes);
 * ```
 */
export function createLivePool(
  connect: () => Promise<LiveConnection>,
  options: LivePoolOptions = {},
): LivePool {
  const { maximum = 4, retireMilliseconds = (liveIdleSeconds * 1000 * 2) / 3 } = options;
  if (!(Number.isInteger(maximum) && maximum >= 1))
    throw new ConfigurationError('maximum must be a whole number from 1');
  if (!(retireMilliseconds > 0)) throw new ConfigurationError('retireMilliseconds must be a number above 0');
  return new Pool(connect, maximum, retireMilliseconds);
}

class Pool implements LivePool {
  readonly #connect: () => Promise<LiveConnection>;
  readonly #maximum: number;
  readonly #retireMilliseconds: number;
  /** With the time until they retire, in the order in which they came. */
  readonly #ready = new Map<LiveConnection, Deadline>();
  #waiting: Waiting[] = [];
  #opening = 0;
  #taken = 0;
  #closed = false;

  constructor(connect: () => Promise<LiveConnection>, maximum: number, retireMilliseconds: number) {
    this.#connect = connect;
    this.#maximum = maximum;
    this.#retireMilliseconds = retireMilliseconds;
    this.#serve();
  }

  get ready(): number {
    return [...this.#ready.keys()].filter(({ isReady }) => isReady).length;
  }

  get taken(): number {
    return this.#taken;
  }

  async take({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<LiveConnection> {
    if (this.#closed) throw closedError();
    if (signal?.aborted) throw new AbortError(signal.reason);
    let stop = (): void => {};
    try {
      const connection = await new Promise<LiveConnection>((give, fail) => {
        const waiting: Waiting = { give, fail };
        stop = () => {
          this.#waiting = this.#waiting.filter((other) => other !== waiting);
          fail(new AbortError(signal?.reason));
        };
        signal?.addEventListener('abort', stop, { once: true });
        this.#waiting.push(waiting);
        this.#serve();
      });
      // Aborted in the turn in which it got one.
      if (signal?.aborted) {
        connection.close();
        throw new AbortError(signal.reason);
      }
      return connection;
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  close(): void {
    this.#closed = true;
    for (const { fail } of this.#waiting.splice(0)) fail(closedError());
    for (const connection of [...this.#ready.keys()]) this.#retire(connection);
  }

  /** Gives what is ready to whoever waits longest; opens what is wanted and allowed: one for each that waits, or one to keep. */
  #serve(): void {
    // The newest first, so that the others retire.
    for (const connection of [...this.#ready.keys()].reverse()) {
      if (this.#waiting.length === 0) break;
      this.#ready.get(connection)?.stop();
      this.#ready.delete(connection);
      // Its server may have closed it since.
      if (connection.isReady) this.#waiting.shift()?.give(this.#lend(connection));
      else connection.close();
    }
    const wanted = Math.max(this.#waiting.length, this.#ready.size === 0 ? 1 : 0);
    const allowed = this.#closed ? 0 : this.#maximum - this.#ready.size - this.#taken;
    while (this.#opening < Math.min(wanted, allowed)) void this.#open();
  }

  async #open(): Promise<void> {
    this.#opening += 1;
    let failure: { readonly error: unknown } | undefined;
    try {
      const connection = await this.#connect();
      this.#keep(connection);
      if (!connection.isReady) throw new ConnectionError('the connection was closed as soon as it was open');
    } catch (error) {
      failure = { error };
    }
    // One that another attempt may still serve waits on. Nobody waits for one that was to be kept: the next `take`
    // tries again, and tells.
    if (failure && this.#waiting.length >= this.#opening) this.#waiting.shift()?.fail(failure.error);
    this.#opening -= 1;
    if (this.#waiting.length > 0) this.#serve();
  }

  #keep(connection: LiveConnection): void {
    if (this.#closed || !connection.isReady) {
      connection.close();
      return;
    }
    const deadline = new Deadline(this.#retireMilliseconds, () => this.#retire(connection));
    this.#ready.set(connection, deadline);
    deadline.run(true);
  }

  #retire(connection: LiveConnection): void {
    this.#ready.get(connection)?.stop();
    this.#ready.delete(connection);
    connection.close();
    this.#serve();
  }

  /** The connection, whose `close` gives it back. */
  #lend(connection: LiveConnection): LiveConnection {
    this.#taken += 1;
    let isLent = true;
    return {
      speak: (text, options) => {
        if (!isLent) throw closedError();
        return connection.speak(text, options);
      },
      get isReady() {
        return isLent && connection.isReady;
      },
      close: () => {
        if (!isLent) return;
        isLent = false;
        this.#taken -= 1;
        this.#keep(connection);
        this.#serve();
      },
    };
  }
}

function closedError(): ConnectionError {
  return new ConnectionError('the pool, or the connection from it, was closed');
}
