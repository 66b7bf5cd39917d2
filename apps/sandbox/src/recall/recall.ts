import { setImmediate } from 'node:timers/promises';
import type { SpokenChunk } from '../speech/job.ts';
import { createResampler } from '../speech/output/resampler.ts';
import { languageOfText } from '../speech/text/characters.ts';
import { Fingerprinter, fingerprintRate } from './fingerprint.ts';
import { type RecalledWord, recallWords } from './match.ts';
import { type RecallDocument, RecallStore } from './recall-store.ts';

/** Recognition of known speech: what the sandbox has said lately, and what developers have added. */
export type Recall = ReturnType<typeof createRecall>;

/** Maximum seconds of speech that wait for their fingerprint: 26 MB. Speech beyond that is not remembered. */
const mostWaitingSeconds = 600;

/**
 * Starts nothing before the first word is said.
 *
 * @param log receives one line at the first failure
 */
export function createRecall(store: RecallStore = new RecallStore(), log: (line: string) => void = () => {}) {
  const pending = new Set<Promise<void>>();
  const lasting: RecallDocument[] = [];
  let waitingSeconds = 0;
  let hasFailed = false;

  const remember = async (chunk: SpokenChunk): Promise<void> => {
    const { text, words } = chunk;
    const frames = await fingerprintSpoken(chunk);
    store.add({ origin: 'echo', text, words, language: languageOfText(text), frames });
  };
  const onSpoken = (chunk: SpokenChunk): void => {
    const seconds = chunk.samples.length / chunk.sampleRate;
    if (chunk.words.length === 0 || waitingSeconds + seconds > mostWaitingSeconds) return;
    waitingSeconds += seconds;
    // Speech is still spoken if it cannot be fingerprinted, or cannot be stored because the disk is full.
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

  return {
    /** Remembers what has been said. */
    onSpoken,
    /** @param isLasting whether it survives a reset */
    add(document: RecallDocument, isLasting = false): void {
      if (isLasting) lasting.push(document);
      store.add(document);
    },
    /** The known words of a recording, in order, including everything spoken before the call. */
    async wordsIn(frames: Uint32Array, signal: AbortSignal): Promise<RecalledWord[]> {
      await Promise.all(pending);
      return recallWords(frames, store, signal);
    },
    /** Forgets everything except lasting documents. */
    reset(): void {
      store.clear();
      for (const document of lasting) store.add(document);
    },
    async close(): Promise<void> {
      // The most recent speech must also be known after a restart.
      await Promise.all(pending);
    },
  };
}

/** Takes a second of sound at a time, which takes milliseconds: the thread has requests to answer. */
async function fingerprintSpoken({ samples, sampleRate }: SpokenChunk): Promise<Uint32Array> {
  const fingerprinter = new Fingerprinter();
  const resampler = await createResampler(sampleRate, fingerprintRate);
  for (let start = 0; start < samples.length; start += sampleRate) {
    const second = samples.subarray(start, start + sampleRate);
    fingerprinter.push(resampler.write(Float32Array.from(second, (sample) => sample / 32768)));
    await setImmediate();
  }
  fingerprinter.push(resampler.end());
  resampler.free();
  return fingerprinter.end();
}
