import { type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { headerNames, mediaTypes } from '@speech-api/types';
import { sendJson } from '../serve/send.ts';
import type { Faults } from './faults.ts';

type Bytes = string | Uint8Array;
type Callback = (error?: Error | null) => void;

/** How often a drip falls. */
const dripMilliseconds = 50;

/** An answer that behaves like any other until its faults are set. */
export class FaultyResponse extends ServerResponse {
  #faults: Faults | undefined;
  readonly #gone = new AbortController();
  #sending: Promise<void> = Promise.resolve();
  #waitingBytes = 0;
  #sentBytes = 0;
  #events = 0;

  /** Gives the body these faults from now on. */
  misbehave(faults: Faults): void {
    this.#faults = faults;
    this.once('close', () => this.#gone.abort());
  }

  override writeHead(status: number, ...rest: unknown[]): this {
    const [headers] = rest.filter((each) => typeof each === 'object') as OutgoingHttpHeaders[];
    const type = this.#faults?.mediaType;
    return super.writeHead(status, { ...headers, ...(type === undefined ? {} : { 'content-type': type }) });
  }

  override write(bytes: Bytes, encoding?: BufferEncoding | Callback, callback?: Callback): boolean {
    const done = typeof encoding === 'function' ? encoding : callback;
    if (this.#faults === undefined) return super.write(bytes, done);
    this.#enqueue(bytes, done);
    return false;
  }

  override end(bytes?: Bytes | Callback, encoding?: BufferEncoding | Callback, callback?: Callback): this {
    const done = [bytes, encoding, callback].find((each) => typeof each === 'function');
    const last = typeof bytes === 'function' ? undefined : bytes;
    if (this.#faults === undefined) {
      return last === undefined ? super.end(done) : super.end(last, done);
    }
    if (last !== undefined) this.#enqueue(last);
    // An answer without a body is cut too.
    else if (this.#sentBytes + this.#waitingBytes === 0) this.#enqueue('');
    this.#sending = this.#sending.then(() => {
      if (!this.destroyed) super.end(done);
    });
    return this;
  }

  #enqueue(given: Bytes, done?: Callback): void {
    const bytes = typeof given === 'string' ? Buffer.from(given) : given;
    this.#waitingBytes += bytes.length;
    this.#sending = this.#sending.then(async () => {
      await this.#send(bytes);
      this.#waitingBytes -= bytes.length;
      done?.();
      if (this.#waitingBytes === 0) this.emit('drain');
    });
  }

  async #send(given: Uint8Array): Promise<void> {
    if (this.destroyed) return;
    const bytes = this.#malform(given);
    const left = (this.#faults?.cutAfterBytes ?? Number.POSITIVE_INFINITY) - this.#sentBytes;
    const kept = bytes.subarray(0, left);
    await this.#wait(this.#sentBytes === 0 ? 0 : (this.#faults?.paceMilliseconds ?? 0));
    await this.#drip(kept);
    if (bytes.length < left) return;
    // The bytes before the cut still arrive.
    if (kept.length === 0) this.flushHeaders();
    await new Promise((resolve) => (this.socket ? this.socket.write('', resolve) : resolve(undefined)));
    this.destroy();
  }

  async #drip(bytes: Uint8Array): Promise<void> {
    const rate = this.#faults?.dripBytesPerSecond;
    const step =
      rate === undefined ? bytes.length : Math.max(1, Math.floor((rate * dripMilliseconds) / 1000));
    for (let start = 0; start < bytes.length && !this.destroyed; start += step) {
      const drop = bytes.subarray(start, start + step);
      this.#sentBytes += drop.length;
      await new Promise<void>((resolve) => super.write(drop, () => resolve()));
      if (rate === undefined) continue;
      await this.#wait((drop.length / rate) * 1000);
    }
  }

  /** Until then, or until the connection is gone. */
  async #wait(milliseconds: number): Promise<void> {
    if (milliseconds === 0) return;
    await sleep(milliseconds, undefined, { signal: this.#gone.signal }).catch(() => {});
  }

  /** One write is one event: that is how the event stream is sent. */
  #malform(bytes: Uint8Array): Uint8Array {
    if (this.#faults?.malformed && this.#sentBytes === 0) {
      const half = Math.floor(bytes.length / 2);
      return Buffer.concat([bytes.subarray(0, half), Buffer.alloc(bytes.length - half, '?')]);
    }
    const wanted = this.#faults?.malformedEvent;
    if (wanted === undefined || this.getHeader('content-type') !== mediaTypes.eventStream) return bytes;
    this.#events += 1;
    if (this.#events !== wanted) return bytes;
    const half = bytes.subarray(0, Math.ceil(bytes.length / 2));
    return Buffer.concat([half, Buffer.from('\n\n')]);
  }
}

/** Statuses that ask the caller to come again. */
const passing: readonly number[] = [429, 503];

/**
 * Gives an answer its faults.
 *
 * @param server what the server calls itself in messages
 * @returns whether the request is answered by that, so that the operation must not run
 */
export async function applyFaults(
  faults: Faults,
  response: FaultyResponse,
  { signal, server }: { readonly signal: AbortSignal; readonly server: string },
): Promise<boolean> {
  const { status, delayMilliseconds } = faults;
  if (delayMilliseconds !== undefined) await sleep(delayMilliseconds, undefined, { signal });
  response.misbehave(faults);
  if (status === undefined) return false;
  const headers: Record<string, string> = passing.includes(status) ? { [headerNames.retryAfter]: '1' } : {};
  sendJson(response, status, { status, message: `The ${server} was asked to answer ${status}.` }, headers);
  return true;
}
