import type { EngineOutput } from './protocol.ts';

/** What a buffer tells its owner. */
export interface OutputBufferListener {
  /** Bytes of samples that are held from now on, or no longer when negative. */
  onHeld(bytes: number): void;
  /** The listener has gone before the end. */
  onLeft(): void;
}

/**
 * Lies between an engine and whoever listens to one utterance, so that the engine is free as soon as it has spoken,
 * however slowly it is listened to. It is bounded: beyond its limit the engine waits after all.
 */
export class OutputBuffer {
  readonly #limit: number;
  readonly #listener: OutputBufferListener;
  #outputs: EngineOutput[] = [];
  #held = 0;
  #end: { readonly error?: unknown } | undefined;
  #left = false;
  #wakeReader = () => {};
  #wakeWriter = () => {};

  /** @param limit bytes of samples after which the writer is to wait */
  constructor(limit: number, listener: OutputBufferListener) {
    this.#limit = limit;
    this.#listener = listener;
  }

  /** Takes one output; what comes after the listener has left is dropped. Settles when there is room for another. */
  async write(output: EngineOutput): Promise<void> {
    if (this.#left) return;
    this.#outputs.push(output);
    this.#hold(sizeOf(output));
    this.#wakeReader();
    if (this.#held < this.#limit) return;
    await new Promise<void>((resolve) => {
      this.#wakeWriter = resolve;
    });
  }

  /** Nothing more comes; with an error, the listener gets it after what there is. */
  end(failure: { readonly error?: unknown } = {}): void {
    this.#end ??= failure;
    this.#wakeReader();
  }

  /** Gives what is there and what comes. For one listener; leaving the loop ends the buffer. */
  async *read(signal: AbortSignal): AsyncGenerator<EngineOutput, void, undefined> {
    const onAbort = () => this.#wakeReader();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        const output = this.#outputs.shift();
        if (output !== undefined) {
          this.#hold(-sizeOf(output));
          if (this.#held < this.#limit) this.#wakeWriter();
          yield output;
        } else if (this.#end === undefined) {
          await new Promise<void>((resolve) => {
            this.#wakeReader = resolve;
          });
        } else {
          if ('error' in this.#end) throw this.#end.error;
          return;
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#leave();
    }
  }

  #leave(): void {
    this.#left = true;
    this.#outputs = [];
    this.#hold(-this.#held);
    this.#wakeWriter();
    if (this.#end === undefined) this.#listener.onLeft();
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    this.#listener.onHeld(bytes);
  }
}

function sizeOf(output: EngineOutput): number {
  return output.type === 'audio' ? output.samples.byteLength : 0;
}
