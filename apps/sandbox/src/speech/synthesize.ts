import type { Alignment } from '@speech-api/types';
import { joinBytes } from './audio/join-bytes.ts';
import type { EnginePool } from './engine/engine-pool.ts';
import type { SpeechJob, SpeechPiece, SpokenChunk, SynthesizeOptions } from './job.ts';
import { type AudioOutput, engineSampleRate, type OutputSettings } from './output/output.ts';
import { type ChunkSound, speakChunk, type TimedWord } from './speak-chunk.ts';
import { tagStyleOf } from './text/expression-tags.ts';
import { segmentText, type TextChunk } from './text/segment.ts';
import { prepareText } from './text/spoken-text.ts';

export interface SynthesisParts {
  readonly pool: Pick<EnginePool, 'speak'>;
  createOutput(settings: OutputSettings): Promise<AudioOutput>;
}

/** Seconds of audio in a piece: the first one leaves as soon as there is something, later ones are longer. */
const pieceSeconds: Record<SpeechJob['latency'], { readonly first: number; readonly most: number }> = {
  low: { first: 0.08, most: 0.1 },
  balanced: { first: 0.08, most: 0.25 },
  normal: { first: 0.08, most: 0.5 },
};
const pieceGrowth = 2;

/** Speaks a job, piece by piece, as fast as it is listened to. */
export async function* synthesize(
  job: SpeechJob,
  parts: SynthesisParts,
  options: SynthesizeOptions,
): AsyncGenerator<SpeechPiece, void, undefined> {
  const { signal, onSpoken } = options;
  signal.throwIfAborted();
  const chunks = chunksOf(job);
  const output = await parts.createOutput(outputSettings(job));
  try {
    let seconds = 0;
    let target = pieceSeconds[job.latency].first;
    for (const [sequence, chunk] of chunks.entries()) {
      const progress = new ChunkProgress(
        sequence,
        chunk,
        seconds,
        sequence === 0 ? output.leadingSeconds : 0,
      );
      const sounds: ChunkSound[] = [];
      for await (const sound of speakChunk(chunk, job, parts.pool, signal)) {
        // What is there already leaves before more is made; the newest bytes stay, so that the piece that
        // completes the chunk has audio too.
        if (progress.pendingSeconds >= target && progress.hasPiece) {
          yield progress.piece(job.latency !== 'normal' || progress.clauseEnded);
          target = Math.min(pieceSeconds[job.latency].most, target * pieceGrowth);
        }
        progress.add(sound, await output.write(sound.samples));
        sounds.push(sound);
      }
      onSpoken?.(spokenChunk(chunk, sounds));
      if (sequence === chunks.length - 1) progress.append(await output.end());
      yield progress.lastPiece();
      seconds += progress.duration;
    }
  } finally {
    output.free();
  }
}

function chunksOf(job: SpeechJob): TextChunk[] {
  const spoken = prepareText(job.text, {
    speakers: job.speakers.length,
    tags: tagStyleOf(job.model),
    normalize: job.normalize,
  });
  const chunks = segmentText(spoken, {
    chunkLength: job.chunk_length,
    minimumChunkLength: job.min_chunk_length,
    eager: job.latency !== 'normal',
  });
  // Nothing but spaces and tags: a short silence, since an answer without audio is no answer.
  return chunks.length > 0 ? chunks : [{ characters: [], content: '', ending: 'sentence' }];
}

/** The words of the last sound are all there are. */
function spokenChunk(chunk: TextChunk, sounds: readonly ChunkSound[]): SpokenChunk {
  const samples = new Int16Array(sounds.reduce((sum, sound) => sum + sound.samples.length, 0));
  let offset = 0;
  for (const sound of sounds) {
    samples.set(sound.samples, offset);
    offset += sound.samples.length;
  }
  const words = sounds.at(-1)?.words ?? [];
  return { text: chunk.content, words, samples, sampleRate: engineSampleRate };
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

/** What has been made of a chunk, and what of it has not left yet. */
class ChunkProgress {
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

  lastPiece(): SpeechPiece {
    this.#alignment = this.#snapshot();
    return this.#pieceOf(
      joinBytes(this.#newest === undefined ? this.#ready : [...this.#ready, this.#newest]),
    );
  }

  #pieceOf(audio: Uint8Array): SpeechPiece {
    return {
      audio,
      chunk_seq: this.#sequence,
      content: this.#content,
      alignment: this.#alignment,
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
