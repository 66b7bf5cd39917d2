import { ApiError, ConnectionError, SpeechError, TimeoutError } from '@speech-api/client';
import type { LiveConnection } from './connection.ts';
import type { LiveSpeech, SpeakOptions } from './speech.ts';
import { checkText } from './text-feed.ts';

/** Number of repetitions of an utterance, and the waits between them. */
export interface ReconnectingOptions {
  /** The most times that one utterance is repeated. @defaultValue 3 */
  readonly retries?: number | undefined;
  /** Upper limit of the first random wait, in milliseconds; it doubles each time. @defaultValue 250 */
  readonly minimumDelay?: number | undefined;
  /** Upper limit of every wait, in milliseconds. @defaultValue 5000 */
  readonly maximumDelay?: number | undefined;
  /** Source of random numbers from 0 to 1, for the waits. @defaultValue `Math.random` */
  readonly random?: (() => number) | undefined;
}

/** A connection that repeats an utterance that fails before its audio arrives. */
export interface ReconnectingConnection {
  /** Speaks a text, or text that is still being written, which is kept to be repeated. Leaving the loop interrupts it. */
  speak(text: string | AsyncIterable<string>, options?: SpeakOptions): AsyncIterable<Uint8Array>;
}

/**
 * Repeats an utterance that fails before any of its audio arrives. You may be billed twice: the service may already have
 * spoken what was lost on the way.
 *
 * Once audio has arrived nothing is repeated, since the listener would hear it twice; neither is what the service
 * refuses (4xx), 408 and 429 apart.
 */
export function reconnecting(
  connection: LiveConnection,
  options: ReconnectingOptions = {},
): ReconnectingConnection {
  const { retries = 3, minimumDelay = 250, maximumDelay = 5000, random = Math.random } = options;
  return {
    async *speak(text, speakOptions = {}) {
      checkText(text);
      const source = typeof text === 'string' ? undefined : text[Symbol.asyncIterator]();
      const kept = source === undefined ? (text as string) : keep(source);
      try {
        for (let attempt = 0; ; attempt += 1) {
          const speech: LiveSpeech = connection.speak(kept, speakOptions);
          try {
            yield* speech;
            return;
          } catch (error) {
            if (attempt >= retries || speech.metrics.bytes > 0 || !isWorthRepeating(error)) throw error;
            const asked = ApiError.isInstance(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
            if (asked > maximumDelay) throw error;
            const delay = random() * Math.min(maximumDelay, minimumDelay * 2 ** attempt);
            await pause(Math.max(asked, delay), speakOptions.signal);
          }
        }
      } finally {
        void Promise.resolve(source?.return?.()).catch(() => {});
      }
    },
  };
}

/** A source that can be read from its beginning again: it is asked for each piece once. */
function keep(source: AsyncIterator<string>): AsyncIterable<string> {
  const steps: Promise<IteratorResult<string>>[] = [];
  return {
    async *[Symbol.asyncIterator]() {
      for (let index = 0; ; index += 1) {
        steps[index] ??= source.next();
        const { value, done } = (await steps[index]) as IteratorResult<string>;
        if (done) return;
        yield value;
      }
    },
  };
}

function isWorthRepeating(error: unknown): boolean {
  if (ApiError.isInstance(error)) return error.status === 408 || error.status === 429 || error.status >= 500;
  return (
    SpeechError.isInstance(error) && (ConnectionError.isInstance(error) || TimeoutError.isInstance(error))
  );
}

/** Waits; an abort ends the wait, and the next attempt throws it. */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
