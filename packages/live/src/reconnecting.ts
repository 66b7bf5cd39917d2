import { ApiError, ConnectionError, TimeoutError } from '@speech-api/client';
import { isRetryableStatus, retryDelay, sleep } from '@speech-api/client/api-error';
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
  const { retries = 3, minimumDelay = 250, maximumDelay = 5000 } = options;
  const waits = { retries, minimumDelay, maximumDelay };
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
            const asked = ApiError.isInstance(error) ? error.retryAfterSeconds : undefined;
            const repeats = speech.metrics.bytes === 0 && isWorthRepeating(error);
            const delay = repeats ? retryDelay(waits, attempt, asked) : undefined;
            if (delay === undefined) throw error;
            // If it is aborted, the next attempt throws that.
            await sleep(delay, speakOptions.signal).catch(() => {});
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
  if (ApiError.isInstance(error)) return isRetryableStatus(error.status);
  return ConnectionError.isInstance(error) || TimeoutError.isInstance(error);
}
