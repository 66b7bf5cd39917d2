import type { Alignment } from '@speech-api/types';
import { joinBytes } from './audio/join-bytes.ts';
import type { SpeechPiece } from './job.ts';
import { engineSampleRate } from './output/output.ts';
import type { ChunkSound, TimedWord } from './speak-chunk.ts';
import type { TextChunk } from './text/segment.ts';

/** What has been made of a chunk, and what of it has not left yet. */
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
