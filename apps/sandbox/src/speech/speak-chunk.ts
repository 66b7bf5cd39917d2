import type { EngineOutput, Utterance } from './engine/protocol.ts';
import type { SpeechJob, VoiceProfile } from './job.ts';
import { engineSampleRate } from './output/output.ts';
import { pauseAfterChunk, pauseBetween } from './prosody/pauses.ts';
import { engineRate } from './prosody/speaking-rate.ts';
import { variationOf } from './prosody/variation.ts';
import { sayDecimalPoints } from './text/decimal-point.ts';
import { homeLanguage, type LanguageRun, languageRuns } from './text/language.ts';
import type { TextChunk } from './text/segment.ts';
import { findTokens, hasTokens } from './text/tokens.ts';
import { type TimedToken, WordTimer } from './timing/word-timer.ts';

/** A stretch of a chunk's sound, with the words that are known by now. */
export interface ChunkSound {
  readonly samples: Int16Array;
  /** All words of the chunk so far whose end is known, in seconds from the chunk's start. */
  readonly words: readonly TimedWord[];
  /** Whether a clause has just ended. */
  readonly clauseEnded: boolean;
}

export interface TimedWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A chunk has to be long enough for every encoder to have something to show for it. */
const shortestChunk = 0.35;

/** Speaks one chunk: every run of one speaker and one language is an utterance of its own. */
export async function* speakChunk(
  chunk: TextChunk,
  job: SpeechJob,
  speak: (utterance: Utterance) => AsyncIterable<EngineOutput>,
): AsyncGenerator<ChunkSound, void, undefined> {
  const words: TimedWord[] = [];
  let samples = 0;
  let before: { text: string; speaker: number } | undefined;
  for (const run of languageRuns(chunk.characters)) {
    const spoken = run.characters.map((character) => character.spoken);
    const text = (job.normalize ? sayDecimalPoints(spoken, run.language) : spoken).join('');
    if (!hasTokens(spoken)) continue;
    if (before !== undefined) {
      const pause = silence(pauseBetween(before.text, before.speaker !== run.speaker, job.prosody.speed));
      samples += pause.length;
      yield { samples: pause, words: [...words], clauseEnded: true };
    }
    before = { text, speaker: run.speaker };
    const start = samples / engineSampleRate;
    const timer = new WordTimer(findTokens(spoken), spoken.length);
    const known = () => [...words, ...timer.timed.map((timed) => wordOf(timed, run, start))];
    let clauseEnded = false;
    for await (const output of speak(utteranceFor(run, text, job))) {
      if (output.type === 'events') {
        timer.add(output.events);
        clauseEnded ||= output.events.some(({ event }) => event === 'clause-end');
        continue;
      }
      samples += output.samples.length;
      yield { samples: output.samples, words: known(), clauseEnded };
      clauseEnded = false;
    }
    timer.finish(samples / engineSampleRate - start);
    words.push(...timer.timed.map((timed) => wordOf(timed, run, start)));
  }
  const pause = pauseAfterChunk(chunk.ending, job.prosody.speed);
  const rest = Math.max(pause, shortestChunk - samples / engineSampleRate);
  yield { samples: silence(rest), words, clauseEnded: true };
}

function utteranceFor(run: LanguageRun, text: string, job: SpeechJob): Utterance {
  const voice = voiceOf(job, run.speaker);
  const language = run.language === homeLanguage ? latinLanguage(voice) : run.language;
  const variation = variationOf(job, voice, text);
  return {
    text,
    voice: voice.variant === undefined ? language : `${language}+${voice.variant}`,
    rate: engineRate(voice.rate, job.prosody.speed, language),
    pitch: between(0, 99, voice.pitch + variation.pitch),
    range: between(0, 99, variation.range),
  };
}

function voiceOf(job: SpeechJob, speaker: number): VoiceProfile {
  const voice = job.speakers[speaker];
  if (voice === undefined) throw new RangeError(`there is no speaker ${speaker}`);
  return voice;
}

function latinLanguage(voice: VoiceProfile): string {
  return voice.language?.startsWith('en') ? voice.language : 'en-us';
}

function wordOf(timed: TimedToken, run: LanguageRun, start: number): TimedWord {
  const written = run.characters.slice(timed.token.start, timed.token.end);
  // As the caller wrote it, where that differs from what the engine was given.
  const text = timed.token.single ? (written[0]?.written ?? timed.token.text) : timed.token.text;
  return { text, start: start + timed.start, end: start + timed.end };
}

function silence(seconds: number): Int16Array {
  return new Int16Array(Math.max(0, Math.round(seconds * engineSampleRate)));
}

function between(minimum: number, maximum: number, value: number): number {
  return Math.min(maximum, Math.max(minimum, value));
}
