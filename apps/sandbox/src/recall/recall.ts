import { JobPool, programBeside } from '@speech-api/server';
import type { SpeechService, SpokenChunk, SynthesizeOptions } from '../speech/job.ts';
import { languageOfText } from '../speech/text/language.ts';
import { type RecalledWord, recallWords } from './match.ts';
import { type RecallDocument, RecallStore } from './recall-store.ts';
import type { SpokenSamples } from './spoken-thread.ts';

/** Recognition of known speech: what the sandbox has said lately, and what developers have added. */
export interface Recall {
  /** The same service, listened to. */
  listenTo(speech: SpeechService): SpeechService;
  /** @param lasting whether it outlasts a reset */
  add(document: RecallDocument, lasting?: boolean): void;
  /** The words in a recording that are known, in order. What was said before the call is known by then. */
  wordsIn(frames: Uint32Array, signal: AbortSignal): Promise<RecalledWord[]>;
  /** Forgets everything but what lasts. */
  reset(): void;
  close(): Promise<void>;
}

/** Seconds of speech that wait for their fingerprint at most: 26 MB. What comes on top is not remembered. */
const mostWaitingSeconds = 600;

/** A chunk of text is fingerprinted a hundred times faster than it is heard. */
const fingerprintLimits = { deadline: 60_000, processorTime: 30_000 };

/**
 * Starts nothing before the first word is said.
 *
 * @param log receives one line at the first failure
 */
export function createRecall(
  store: RecallStore = new RecallStore(),
  log: (line: string) => void = () => {},
): Recall {
  const fingerprints = new JobPool<SpokenSamples, Uint32Array>({
    program: programBeside(import.meta.url, './spoken-thread'),
    threads: 1,
  });
  const pending = new Set<Promise<void>>();
  const lasting: RecallDocument[] = [];
  let waitingSeconds = 0;
  let hasFailed = false;

  const remember = async ({ text, words, samples, sampleRate }: SpokenChunk): Promise<void> => {
    const frames = await fingerprints.run({ samples, sampleRate }, fingerprintLimits);
    store.add({ origin: 'echo', text, words, language: languageOfText(text), frames });
  };
  const onSpoken = (chunk: SpokenChunk): void => {
    const seconds = chunk.samples.length / chunk.sampleRate;
    if (chunk.words.length === 0 || waitingSeconds + seconds > mostWaitingSeconds) return;
    waitingSeconds += seconds;
    // Speech that cannot be fingerprinted, or not be kept because the disk is full, was spoken all the same.
    const settled = remember(chunk).catch((error: unknown) => {
      if (!hasFailed)
        log(`Speech could not be kept for recognition; later failures are not logged: ${String(error)}`);
      hasFailed = true;
    });
    const work = settled.finally(() => {
      waitingSeconds -= seconds;
      pending.delete(work);
    });
    pending.add(work);
  };

  const listening = (options: SynthesizeOptions): SynthesizeOptions => ({
    ...options,
    onSpoken(chunk) {
      options.onSpoken?.(chunk);
      onSpoken(chunk);
    },
  });

  return {
    listenTo: (speech) => ({
      open: (job, options) => speech.open(job, listening(options)),
      ready: () => speech.ready(),
      close: () => speech.close(),
    }),
    add(document, isLasting = false) {
      if (isLasting) lasting.push(document);
      store.add(document);
    },
    async wordsIn(frames, signal) {
      await Promise.all(pending);
      return recallWords(frames, store, signal);
    },
    reset() {
      store.clear();
      for (const document of lasting) store.add(document);
    },
    async close() {
      // The most recent speech must also be known after a restart.
      await Promise.all(pending);
      await fingerprints.close();
    },
  };
}
