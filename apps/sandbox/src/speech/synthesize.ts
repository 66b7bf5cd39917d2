import type { Alignment } from '@speech-api/types';
import { joinBytes } from '../values.ts';
import type { EnginePool } from './engine/engine-pool.ts';
import type { EngineOutput, Utterance } from './engine/protocol.ts';
import { engineSampleRate } from './engine/protocol.ts';
import type { SpeechJob, SpeechPiece, SpeechSession, SynthesizeOptions, TimedWord } from './job.ts';
import type { AudioOutput, OutputSettings } from './output/output.ts';
import { type ChunkSound, speakChunk, spokenChunk } from './speak-chunk.ts';
import type { TextChunk } from './text/segment.ts';
import { tagStyleOf } from './text/spoken-text.ts';
import { TextFeed } from './text/text-feed.ts';

export interface SynthesisParts {
  readonly pool: Pick<EnginePool, 'speak'>;
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
        if (progress.pendingSeconds >= target && progress.hasPiece) {
          yield progress.piece(job.latency !== 'normal' || progress.clauseEnded);
          target = Math.min(pieceSeconds[job.latency].most, target * pieceGrowth);
        }
        progress.add(sound, await output.write(sound.samples, sound.decibels));
        if (onSpoken) sounds.push(sound);
      }
      onSpoken?.(spokenChunk(chunk, sounds));
      chunk = feed.next();
      const known = chunk !== undefined || feed.finished;
      if (!known) {
        // Nobody knows yet whether this was the last chunk: what there is leaves, and the end of the stream later.
        yield progress.lastPiece();
        chunk = await nextChunk(feed, written, signal);
      }
      if (chunk === undefined) progress.append(await output.end());
      if (known || chunk === undefined) yield progress.lastPiece();
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

/** Whoever has begun to speak is not sent away any more. */
function utterances(
  { pool, waitAtMost }: SynthesisParts,
  signal: AbortSignal,
): (utterance: Utterance) => AsyncIterable<EngineOutput> {
  let begun = false;
  return (utterance) => {
    const options = begun ? { signal } : { signal, waitAtMost };
    begun = true;
    return pool.speak(utterance, options);
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
export class ChunkProgress {
  readonly #sequence: number;
  readonly #content: string;
  readonly #offset: number;
  readonly #leadingSeconds: number;
  #samples = 0;
  #sentSamples = 0;
  #sentPieces = 0;
  #ready: Uint8Array[] = [];
  #newest: Uint8Array | undefined;
  #words: readonly TimedWord[] = [];
  #alignment: Alignment | null = null;
  #clauseEnded = false;

  constructor(sequence: number, chunk: TextChunk, offset: number, leadingSeconds: number) {
    this.#sequence = sequence;
    this.#content = chunk.content;
    this.#offset = offset;
    this.#leadingSeconds = leadingSeconds;
  }

  /** Seconds of the chunk's audio so far. */
  get duration(): number {
    return this.#leadingSeconds + this.#samples / engineSampleRate;
  }

  get pendingSeconds(): number {
    return (this.#samples - this.#sentSamples) / engineSampleRate;
  }

  get hasPiece(): boolean {
    return this.#ready.length > 0;
  }

  get clauseEnded(): boolean {
    return this.#clauseEnded;
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

  piece(renewSnapshot: boolean): SpeechPiece {
    if (renewSnapshot && this.#words.length > 0 && this.#sentPieces > 0) {
      this.#alignment = this.#snapshot();
      this.#clauseEnded = false;
    }
    this.#sentPieces += 1;
    const audio = joinBytes(this.#ready);
    this.#ready = [];
    this.#sentSamples = this.#samples;
    return this.#pieceOf(audio);
  }

  /** Everything that has not left yet, with all words. */
  lastPiece(): SpeechPiece {
    this.#alignment = this.#snapshot();
    const audio = joinBytes(this.#newest === undefined ? this.#ready : [...this.#ready, this.#newest]);
    this.#ready = [];
    this.#newest = undefined;
    return this.#pieceOf(audio);
  }

  #pieceOf(audio: Uint8Array): SpeechPiece {
    return {
      audio,
      content: this.#content,
      alignment: this.#alignment,
      chunk_seq: this.#sequence,
      chunk_audio_offset_sec: milliseconds(this.#offset),
    };
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

/** Wakes the one who waits for something to happen. A ring that nobody waits for is not kept. */
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
