import { joinArrays } from '../values.ts';
import type { EngineOutput, TimedEvent, Utterance } from './engine/protocol.ts';
import { engineSampleRate } from './engine/protocol.ts';
import type { SpeechJob, SpokenChunk, TimedWord, VoiceProfile } from './job.ts';
import {
  engineRate,
  mostSeconds,
  pauseAfterChunk,
  pauseBetween,
  type Variation,
  variationOf,
} from './prosody.ts';
import { homeLanguage, type LanguageRun, languageRuns } from './text/language.ts';
import { readingOf } from './text/reading.ts';
import type { TextChunk } from './text/segment.ts';
import { findTokens, hasTokens } from './text/tokens.ts';
import { type TimedToken, WordTimer } from './text/word-timer.ts';

/** A stretch of a chunk's sound, with the words that are known by now. */
export interface ChunkSound {
  readonly samples: Int16Array;
  /** Gain from a tag, in dB. */
  readonly decibels: number;
  /** All words of the chunk so far whose end is known, in seconds from the chunk's start. */
  readonly words: readonly TimedWord[];
  /** Whether a clause has just ended. */
  readonly clauseEnded: boolean;
}

/** A chunk has to be long enough for every encoder to have something to show for it. */
const shortestChunk = 0.35;

/**
 * Speaks one chunk: every run of one speaker, one language and one direction is an utterance of its own. It ends
 * where its tokens are used up.
 *
 * @param character the text that the variety of the voices is drawn from
 */
export async function* speakChunk(
  chunk: TextChunk,
  job: SpeechJob,
  speak: (utterance: Utterance) => AsyncIterable<EngineOutput>,
  character: string,
): AsyncGenerator<ChunkSound, void, undefined> {
  const { speed } = job.prosody;
  const most = Math.round(mostSeconds(job.max_new_tokens, speed) * engineSampleRate);
  const words: TimedWord[] = [];
  let samples = 0;
  let before: { text: string; speaker: number } | undefined;
  for (const run of languageRuns(chunk.characters)) {
    if (samples >= most) break;
    const spoken = run.characters.map((character) => character.spoken);
    const says = hasTokens(spoken);
    const asked = run.pause / speed;
    const due = says && before ? pauseBetween(before.text, before.speaker !== run.speaker, speed) : 0;
    if (asked + due > 0 || (says && before)) {
      const pause = silence(asked + due).subarray(0, most - samples);
      samples += pause.length;
      yield { samples: pause, decibels: 0, words: [...words], clauseEnded: true };
    }
    if (!says) continue;
    before = { text: spoken.join(''), speaker: run.speaker };
    const reading = readingOf(spoken, run.language, job.normalize);
    const decibels = run.direction?.decibels ?? 0;
    const start = samples / engineSampleRate;
    const timer = new WordTimer(findTokens(spoken), spoken.length);
    const known = () => [...words, ...timer.timed.map((timed) => wordOf(timed, run, start))];
    let clauseEnded = false;
    let ends = start;
    const utterance = utteranceFor(
      run,
      reading.text,
      job,
      variationOf(job, voiceOf(job, run.speaker), character),
    );
    for await (const output of speak(utterance)) {
      if (output.type === 'events') {
        timer.add(output.events.map((event) => written(event, reading.places)));
        clauseEnded ||= output.events.some(({ event }) => event === 'clause-end');
        continue;
      }
      ends += output.samples.length / engineSampleRate;
      // Excess audio is read to the end: an engine that is abandoned before its end has to be replaced.
      const part = output.samples.subarray(0, Math.max(0, most - samples));
      if (part.length === 0) continue;
      samples += part.length;
      yield { samples: part, decibels, words: known(), clauseEnded };
      clauseEnded = false;
    }
    timer.finish(ends - start);
    words.push(...timer.timed.map((timed) => wordOf(timed, run, start)));
  }
  const spokenUntil = samples / engineSampleRate;
  const pause = pauseAfterChunk(chunk.ending, speed);
  const rest = Math.max(pause, shortestChunk - spokenUntil);
  yield {
    samples: silence(rest),
    decibels: 0,
    words: samples < most ? words : words.filter(({ end }) => end <= spokenUntil),
    clauseEnded: true,
  };
}

/** An event about what the engine was given, as one about what was written. */
function written(event: TimedEvent, places: readonly number[]): TimedEvent {
  if (event.event !== 'word') return event;
  const position = places[event.position] ?? event.position;
  const last = places[event.position + event.length - 1] ?? position + event.length - 1;
  return { ...event, position, length: Math.max(1, last - position + 1) };
}

function utteranceFor(run: LanguageRun, text: string, job: SpeechJob, variation: Variation): Utterance {
  const voice = voiceOf(job, run.speaker);
  const language = run.language === homeLanguage ? latinLanguage(voice) : run.language;
  const { pitch = 0, range = 0, rate = 1 } = run.direction ?? {};
  return {
    text,
    voice: voice.variant === undefined ? language : `${language}+${voice.variant}`,
    rate: engineRate(voice.rate, job.prosody.speed * variation.rate * rate, language),
    pitch: between(0, 99, voice.pitch + variation.pitch + pitch),
    range: between(0, 99, variation.range + range),
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

/** A chunk that has been spoken to its end; the words of the last sound are all there are. */
export function spokenChunk(chunk: TextChunk, sounds: readonly ChunkSound[]): SpokenChunk {
  const parts = sounds.map((sound) => sound.samples);
  const samples = joinArrays<Int16Array>(Int16Array, parts);
  const words = sounds.at(-1)?.words ?? [];
  return { text: chunk.content, words, samples, sampleRate: engineSampleRate };
}
