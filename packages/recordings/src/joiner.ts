import type { AudioFormat } from '@speech-api/types';
import { bitsPerSample, defaultSampleRates } from '@speech-api/types/constants';
import { RecordingError } from './errors.ts';
import type { JoinedWriter, Packet, Track } from './formats/track.ts';
import type { Metadata } from './metadata.ts';
import { openReader } from './open-reader.ts';

/** The audio of one call, taken apart and counted. */
export interface ReadPart {
  /** Undefined for pcm, which has no container. */
  readonly track: Track | undefined;
  readonly packets: readonly Packet[];
  /** Samples before time 0 of the part. */
  readonly skippedSamples: number;
  readonly samples: number;
  readonly seconds: number;
}

/** @throws RecordingError for audio that breaks off or is damaged */
export function readPart(audio: Uint8Array, format: AudioFormat, sampleRate: number | undefined): ReadPart {
  if (format === 'pcm') {
    const samples = audio.length / (bitsPerSample.pcm / 8);
    if (!Number.isInteger(samples))
      throw new RecordingError('The audio of a part ends within a sample. Try again.', 'damaged');
    const seconds = samples / (sampleRate ?? defaultSampleRates.pcm);
    return { track: undefined, packets: [{ bytes: audio, samples }], skippedSamples: 0, samples, seconds };
  }
  const { reader } = openReader(audio);
  const packets: Packet[] = [];
  let track: Track | undefined;
  let samples = 0;
  for (const event of [...reader.push(audio), ...reader.end()]) {
    if (event.type === 'packet') {
      packets.push(event.packet);
      samples += event.packet.samples;
    } else if (event.type === 'track') {
      if (track !== undefined)
        throw new RecordingError('The audio of a part is a chain of several streams.', 'damaged');
      track = event.track;
    } else if (event.isTruncated) {
      throw new RecordingError('The audio of a part breaks off. Try again.', 'damaged');
    }
  }
  if (track === undefined) throw new RecordingError('A part has no audio.', 'damaged');
  const { skippedSamples } = track;
  return { track, packets, skippedSamples, samples, seconds: (samples - skippedSamples) / track.sampleRate };
}

/** Joins parts of one kind to one file, and counts its samples. */
export class Joiner {
  readonly #metadata: Metadata;
  #rate: number;
  #description: string | undefined;
  #writer: JoinedWriter | undefined;
  #skippedSamples = 0;
  #samples = 0;

  constructor(format: AudioFormat, sampleRate: number | undefined, metadata: Metadata) {
    this.#rate = sampleRate ?? defaultSampleRates[format];
    this.#metadata = metadata;
  }

  get seconds(): number {
    return Math.max(0, this.#samples - this.#skippedSamples) / this.#rate;
  }

  /** @returns the bytes to write, and where time 0 of this part is in the joined file */
  add(part: ReadPart): { readonly bytes: Uint8Array[]; readonly offset: number } {
    if (part.track !== undefined) this.#start(part.track);
    const offset = (this.#samples + part.skippedSamples - this.#skippedSamples) / this.#rate;
    this.#samples += part.samples;
    const bytes = part.packets.flatMap((packet) => this.#writer?.write(packet) ?? [packet.bytes]);
    return { bytes, offset };
  }

  end(): Uint8Array[] {
    return this.#writer?.end() ?? [];
  }

  /** The first bytes of the file, with these times of its chapters. */
  head(chapters: Metadata['chapters']): Uint8Array<ArrayBuffer> | undefined {
    return this.#writer?.head?.({ ...this.#metadata, chapters });
  }

  #start(track: Track): void {
    if (this.#writer === undefined) {
      const joined = track.startJoined?.(this.#metadata);
      if (joined === undefined)
        throw new RecordingError(`${track.description} cannot be joined.`, 'unsupported');
      this.#writer = joined.writer;
      this.#skippedSamples = joined.skippedSamples;
      this.#description = track.description;
      this.#rate = track.sampleRate;
    } else if (track.description !== this.#description) {
      throw new RecordingError(
        `A part is ${track.description} and the first one is ${this.#description}.`,
        'damaged',
      );
    }
  }
}
