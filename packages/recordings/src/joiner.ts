import type { AudioFormat } from '@speech-api/types';
import { bitsPerSample, defaultSampleRates } from '@speech-api/types/constants';
import { RecordingError } from './errors.ts';
import type { JoinedWriter, Packet, Track } from './formats/track.ts';
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
  readonly isTruncated: boolean;
}

/** @throws RecordingError for audio that cannot be read */
export function readPart(audio: Uint8Array, format: AudioFormat, sampleRate: number | undefined): ReadPart {
  if (format === 'pcm') {
    const samples = audio.length / (bitsPerSample.pcm / 8);
    const seconds = samples / (sampleRate ?? defaultSampleRates.pcm);
    const packets = [{ bytes: audio, samples }];
    return { track: undefined, packets, skippedSamples: 0, samples, seconds, isTruncated: false };
  }
  const reader = openReader(audio);
  const packets: Packet[] = [];
  let track: Track | undefined;
  let samples = 0;
  let isTruncated = false;
  for (const event of [...reader.push(audio), ...reader.end()]) {
    if (event.type === 'packet') {
      packets.push(event.packet);
      samples += event.packet.samples;
    } else if (event.type === 'track') {
      if (track !== undefined)
        throw new RecordingError('The audio of a part is a chain of several streams.', 'damaged');
      track = event.track;
    } else ({ isTruncated } = event);
  }
  if (track === undefined) throw new RecordingError('A part has no audio.', 'damaged');
  const { skippedSamples } = track;
  const seconds = (samples - skippedSamples) / track.sampleRate;
  return { track, packets, skippedSamples, samples, seconds, isTruncated };
}

/** Joins parts of one kind to one file, and counts its samples. */
export class Joiner {
  #rate: number;
  #description: string | undefined;
  #writer: JoinedWriter | undefined;
  #skippedSamples = 0;
  #samples = 0;

  constructor(format: AudioFormat, sampleRate: number | undefined) {
    this.#rate = sampleRate ?? defaultSampleRates[format];
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

  #start(track: Track): void {
    if (this.#writer === undefined) {
      const joined = track.startJoined?.();
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
