import type { Alignment } from '@speech-api/types';
import type { SpeakOptions } from './engine/engine-pool.ts';
import { type EngineOutput, engineSampleRate, type TimedEvent, type Utterance } from './engine/protocol.ts';
import type {
  SpeechJob,
  SpeechPiece,
  SpeechSession,
  SynthesizeOptions,
  TimedWord,
  VoiceProfile,
} from './job.ts';
import type { AudioOutput, OutputSettings } from './output/output.ts';
import { joinArrays, joinBytes } from './output/samples.ts';
import {
  engineRate,
  mostSeconds,
  pauseAfterChunk,
  pauseBetween,
  type Variation,
  variationOf,
} from './prosody.ts';
import { engineLanguage, findTokens, hasTokens, type LanguageRun, languageRuns } from './text/characters.ts';
import { type TextChunk, TextFeed, tagStyleOf } from './text/text-feed.ts';
import { type TimedToken, WordTimer } from './text/word-timer.ts';

export interface SynthesisParts {
  speak(utterance: Utterance, options: SpeakOptions): AsyncIterable<EngineOutput>;
  /** Milliseconds until the first utterance of a job has to have an engine; those that have begun go on. */
  readonly waitAtMost: number;
  createOutput(settings: OutputSettings): Promise<AudioOutput>;
}

/** Seconds of audio in a piece. Early ones are short, so that the first is there soon; later ones are longer. */
const pieceSeconds: Record<SpeechJob['latency'], { readonly first: number; readonly most: number }> = {
  low: { first: 0.08, most: 0.1 },
  balanced: { first: 0.25, most: 0.25 },
  normal: { first: 0.45, most: 0.6 },
};
const pieceGrowth = 2;

/** Speaks a job, piece by piece, as fast as it is listened to. */
export function synthesize(
  job: SpeechJob,
  parts: SynthesisParts,
  options: SynthesizeOptions,
): AsyncIterable<SpeechPiece> {
  const session = openSession(job, parts, options);
  session.end();
  return session.pieces;
}

/** Speaks a text that is still being written. */
export function openSession(
  job: SpeechJob,
  parts: SynthesisParts,
  options: SynthesizeOptions,
): SpeechSession {
  const feed = new TextFeed({
    speakers: job.speakers.length,
    tags: tagStyleOf(job.model),
    normalize: job.normalize,
    chunkLength: job.chunk_length,
    minimumChunkLength: job.min_chunk_length,
    eager: job.latency !== 'normal',
  });
  const written = new Bell();
  feed.write(job.text);
  return {
    write(text) {
      feed.write(text);
      written.ring();
    },
    flush() {
      feed.flush();
      written.ring();
    },
    end() {
      feed.end();
      written.ring();
    },
    pieces: speakFeed(job, feed, written, parts, options),
  };
}

async function* speakFeed(
  job: SpeechJob,
  feed: TextFeed,
  written: Bell,
  parts: SynthesisParts,
  { signal, onSpoken }: SynthesizeOptions,
): AsyncGenerator<SpeechPiece, void, undefined> {
  let chunk = await nextChunk(feed, written, signal);
  if (chunk === undefined) return;
  const output = await parts.createOutput(outputSettings(job));
  const speak = utterances(parts, signal);
  const first = chunk.content;
  try {
    let seconds = 0;
    let target = pieceSeconds[job.latency].first;
    for (let sequence = 0; chunk !== undefined; sequence += 1) {
      const progress: ChunkProgress = new ChunkProgress(
        sequence,
        chunk,
        seconds,
        sequence === 0 ? output.leadingSeconds : 0,
      );
      const sounds: ChunkSound[] = [];
      for await (const sound of speakChunk(
        chunk,
        job,
        speak,
        job.condition_on_previous_chunks ? first : chunk.content,
      )) {
        // Pending audio leaves before more is made; the newest bytes stay, so that the piece that completes
        // the chunk has audio too.
        if (progress.isDue(target)) {
          yield progress.piece(job.latency !== 'normal');
          target = Math.min(pieceSeconds[job.latency].most, target * pieceGrowth);
        }
        progress.add(sound, await output.write(sound.samples));
        if (onSpoken) sounds.push(sound);
      }
      onSpoken?.({
        text: chunk.content,
        words: sounds.at(-1)?.words ?? [],
        samples: joinArrays<Int16Array>(
          Int16Array,
          sounds.map(({ samples }) => samples),
        ),
        sampleRate: engineSampleRate,
      });
      chunk = feed.next();
      const isKnown = chunk !== undefined || feed.finished;
      if (!isKnown) {
        // Whether this was the last chunk is not known yet: available audio is sent now, and the end of the stream later.
        yield progress.lastPiece();
        chunk = await nextChunk(feed, written, signal);
      }
      if (chunk === undefined) progress.append(await output.end());
      if (isKnown || chunk === undefined) yield progress.lastPiece();
      seconds += progress.duration;
    }
  } finally {
    output.free();
  }
}

/** Waits for the next chunk, or for the end of the text. */
async function nextChunk(feed: TextFeed, written: Bell, signal: AbortSignal): Promise<TextChunk | undefined> {
  for (;;) {
    signal.throwIfAborted();
    const chunk = feed.next();
    if (chunk !== undefined || feed.finished) return chunk;
    await written.rung(signal);
  }
}

type SpeakUtterance = (utterance: Utterance) => AsyncIterable<EngineOutput>;

/** A job that has begun to speak is never refused. */
function utterances({ speak, waitAtMost }: SynthesisParts, signal: AbortSignal): SpeakUtterance {
  let begun = false;
  return (utterance) => {
    const options = begun ? { signal } : { signal, waitAtMost };
    begun = true;
    return speak(utterance, options);
  };
}

function outputSettings(job: SpeechJob): OutputSettings {
  return {
    format: job.format,
    sampleRate: job.sample_rate,
    mp3Bitrate: job.mp3_bitrate,
    opusBitrate: job.opus_bitrate,
    volume: job.prosody.volume,
    normalizeLoudness: job.prosody.normalize_loudness && job.model !== 's1',
  };
}

/** Output of a chunk so far, and the part that has not left yet. */
class ChunkProgress {
  readonly #chunk: Pick<SpeechPiece, 'content' | 'chunk_seq' | 'chunk_audio_offset_sec'>;
  readonly #leadingSeconds: number;
  #samples = 0;
  #sentSamples = 0;
  #sentPieces = 0;
  #ready: Uint8Array[] = [];
  #newest: Uint8Array | undefined;
  #words: readonly TimedWord[] = [];
  #alignment: Alignment | null = null;
  #clauseEnded = false;

  constructor(sequence: number, { content }: TextChunk, offset: number, leadingSeconds: number) {
    this.#chunk = { content, chunk_seq: sequence, chunk_audio_offset_sec: milliseconds(offset) };
    this.#leadingSeconds = leadingSeconds;
  }

  /** Seconds of the chunk's audio so far. */
  get duration(): number {
    return this.#leadingSeconds + this.#samples / engineSampleRate;
  }

  /** Whether this many seconds are waiting to be sent. */
  isDue(seconds: number): boolean {
    return this.#ready.length > 0 && (this.#samples - this.#sentSamples) / engineSampleRate >= seconds;
  }

  add(sound: ChunkSound, bytes: Uint8Array): void {
    this.#samples += sound.samples.length;
    this.#words = sound.words;
    this.#clauseEnded ||= sound.clauseEnded;
    this.append(bytes);
  }

  append(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.#newest !== undefined) this.#ready.push(this.#newest);
    this.#newest = bytes;
  }

  /** @param always whether to update the snapshot within a clause too */
  piece(always: boolean): SpeechPiece {
    if ((always || this.#clauseEnded) && this.#words.length > 0 && this.#sentPieces > 0) {
      this.#alignment = this.#snapshot();
      this.#clauseEnded = false;
    }
    this.#sentPieces += 1;
    const audio = joinBytes(this.#ready);
    this.#ready = [];
    this.#sentSamples = this.#samples;
    return { ...this.#chunk, audio, alignment: this.#alignment };
  }

  /** Everything that has not left yet, with all words. */
  lastPiece(): SpeechPiece {
    this.#alignment = this.#snapshot();
    const audio = joinBytes(this.#newest === undefined ? this.#ready : [...this.#ready, this.#newest]);
    this.#ready = [];
    this.#newest = undefined;
    return { ...this.#chunk, audio, alignment: this.#alignment };
  }

  #snapshot(): Alignment {
    const duration = this.duration;
    const segments = this.#words
      .map(({ text, start, end }) => ({
        text,
        start: milliseconds(start + this.#leadingSeconds),
        end: milliseconds(end + this.#leadingSeconds),
      }))
      // Words are announced before their sound is complete; a snapshot is about the audio there is.
      .filter(({ end }) => end <= milliseconds(duration));
    return { audio_duration: milliseconds(duration), segments };
  }
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** Wakes a waiting reader. A ring without a waiter is not stored. */
export class Bell {
  #wake = () => {};

  ring(): void {
    this.#wake();
  }

  /** Settles at the next ring. @throws the reason of the signal when it is aborted first */
  async rung(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#wake = resolve;
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

/** Part of a chunk's sound, with the words known so far. */
interface ChunkSound {
  readonly samples: Int16Array;
  /** All words of the chunk so far whose end is known, in seconds from the chunk's start. */
  readonly words: readonly TimedWord[];
  /** Whether a clause has just ended. */
  readonly clauseEnded: boolean;
}

/** A chunk has to be long enough for every encoder to have something to show for it. */
const shortestChunk = 0.35;

/**
 * Speaks one chunk: every run of one speaker and one language is an utterance of its own. It ends
 * where its tokens are used up.
 *
 * @param character the text that the variety of the voices is drawn from
 */
async function* speakChunk(
  chunk: TextChunk,
  job: SpeechJob,
  speak: SpeakUtterance,
  character: string,
): AsyncGenerator<ChunkSound, void, undefined> {
  const { speed } = job.prosody;
  const maximumSamples = Math.round(mostSeconds(job.max_new_tokens, speed) * engineSampleRate);
  const words: TimedWord[] = [];
  let sampleCount = 0;
  let previousRun: LanguageRun | undefined;
  for (const run of languageRuns(chunk.characters)) {
    if (sampleCount >= maximumSamples) break;
    const hasWords = hasTokens(run.characters);
    const pause = silence(secondsBefore(run, previousRun, speed)).subarray(0, maximumSamples - sampleCount);
    sampleCount += pause.length;
    if (pause.length > 0 || (hasWords && previousRun !== undefined))
      yield { samples: pause, words: [...words], clauseEnded: true };
    if (!hasWords) continue;
    previousRun = run;
    const voice = voiceOf(job, run.speaker);
    const start = sampleCount / engineSampleRate;
    let runWords: TimedWord[] = [];
    for await (const { samples, tokens, clauseEnded } of speakRun(run, job, speak, character)) {
      runWords = tokens.map((token) => wordOf(token, start, job.speakers.length > 1 ? voice.id : undefined));
      // Excess audio is read to the end: an engine that is abandoned before its end has to be replaced.
      const part = samples.subarray(0, maximumSamples - sampleCount);
      if (part.length === 0) continue;
      sampleCount += part.length;
      yield { samples: part, words: [...words, ...runWords], clauseEnded };
    }
    words.push(...runWords);
  }
  const end = sampleCount / engineSampleRate;
  yield {
    samples: silence(Math.max(pauseAfterChunk(chunk.ending, speed), shortestChunk - end)),
    words: sampleCount < maximumSamples ? words : words.filter((word) => word.end <= end),
    clauseEnded: true,
  };
}

/** Seconds of silence before a run: what a tag asks for, and the pause after the words before it. */
function secondsBefore(run: LanguageRun, previousRun: LanguageRun | undefined, speed: number): number {
  const tagSeconds = run.pause / speed;
  if (previousRun === undefined || !hasTokens(run.characters)) return tagSeconds;
  const { text } = engineText(previousRun);
  return tagSeconds + pauseBetween(text, previousRun.speaker !== run.speaker, speed);
}

/** Part of a run's sound, with the tokens known so far: seconds count from the start of the run. */
interface RunSound {
  readonly samples: Int16Array;
  readonly tokens: readonly TimedToken[];
  readonly clauseEnded: boolean;
}

/** Speaks one run. The last part has no samples, and all tokens. */
async function* speakRun(
  run: LanguageRun,
  job: SpeechJob,
  speak: SpeakUtterance,
  character: string,
): AsyncGenerator<RunSound, void, undefined> {
  const { text, places } = engineText(run);
  const voice = voiceOf(job, run.speaker);
  const timer = new WordTimer(findTokens(run.characters), run.characters.length);
  let clauseEnded = false;
  let sampleCount = 0;
  for await (const output of speak(utteranceFor(run, text, job, voice, variationOf(job, voice, character)))) {
    if (output.type === 'events') {
      timer.add(output.events.map((event) => written(event, places)));
      clauseEnded ||= output.events.some(({ event }) => event === 'clause-end');
      continue;
    }
    sampleCount += output.samples.length;
    yield { samples: output.samples, tokens: timer.timed, clauseEnded };
    clauseEnded = false;
  }
  timer.finish(sampleCount / engineSampleRate);
  yield { samples: silence(0), tokens: timer.timed, clauseEnded };
}

/** The text for the engine, with the index of the character behind each of its code points. */
function engineText({ characters }: LanguageRun): {
  readonly text: string;
  readonly places: readonly number[];
} {
  const places = characters.flatMap(({ spoken }, index) => Array.from(spoken, () => index));
  return { text: characters.map(({ spoken }) => spoken).join(''), places };
}

/** Maps an engine event from the engine's text to the written text. */
function written(event: TimedEvent, places: readonly number[]): TimedEvent {
  if (event.event !== 'word') return event;
  const position = places[event.position] ?? event.position;
  const last = places[event.position + event.length - 1] ?? position + event.length - 1;
  return { ...event, position, length: Math.max(1, last - position + 1) };
}

function utteranceFor(
  run: LanguageRun,
  text: string,
  job: SpeechJob,
  voice: VoiceProfile,
  variation: Variation,
): Utterance {
  const language = engineLanguage(run.language, voice);
  return {
    text,
    voice: voice.variant === undefined ? language : `${language}+${voice.variant}`,
    rate: engineRate(voice.rate, job.prosody.speed * variation.rate, language),
    pitch: between(0, 99, voice.pitch + variation.pitch),
    range: between(0, 99, variation.range),
  };
}

function voiceOf(job: SpeechJob, speaker: number): VoiceProfile {
  const voice = job.speakers[speaker];
  if (voice === undefined) throw new RangeError(`there is no speaker ${speaker}`);
  return voice;
}

function wordOf({ token, start, end }: TimedToken, offset: number, voice: string | undefined): TimedWord {
  return {
    text: token.text,
    start: offset + start,
    end: offset + end,
    ...(voice !== undefined && { voice }),
  };
}

function silence(seconds: number): Int16Array {
  return new Int16Array(Math.max(0, Math.round(seconds * engineSampleRate)));
}

function between(minimum: number, maximum: number, value: number): number {
  return Math.min(maximum, Math.max(minimum, value));
}
