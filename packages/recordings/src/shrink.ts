import { viewOf } from './bytes.ts';
import { RecordingError } from './errors.ts';
import type { Track, TrackEvent } from './formats/track.ts';
import { createPcmTrack } from './formats/wav.ts';
import { createResampler } from './resampler.ts';

/** Enough for speech. */
const shrunkenRate = 16_000;

/** Makes 16-bit sound of one channel and at most 16 kHz of what is read; smaller sound stays as it is. */
export function createShrinker(): (event: TrackEvent) => TrackEvent[] {
  let shrinking: ReturnType<typeof startShrinking> | undefined;
  return (event) => {
    if (event.type === 'track') {
      shrinking = event.track.isSmall ? undefined : startShrinking(event.track);
      return [{ ...event, track: shrinking?.track ?? event.track }];
    }
    if (shrinking === undefined) return [event];
    if (event.type === 'packet') return shrinking.push(event.packet.bytes);
    return [...shrinking.end(), { ...event, trimmedSamples: shrinking.scaled(event.trimmedSamples) }];
  };
}

function startShrinking({ toMono, sampleRate, description, skippedSamples }: Track) {
  if (toMono === undefined) {
    throw new RecordingError(
      `This recording is ${description}, which only an ffmpeg on the PATH can make 16 kHz mono, and none was found or used (cutInWorker of @speech-api/recordings/node uses one). Install ffmpeg, or leave out shrink.`,
      'unsupported',
    );
  }
  const rate = Math.min(sampleRate, shrunkenRate);
  const resampler = sampleRate > rate ? createResampler(sampleRate, rate) : undefined;
  const scaled = (samples: number): number => Math.round((samples * rate) / sampleRate);
  const write = (sound: Float32Array): TrackEvent[] => {
    const bytes = new Uint8Array(2 * sound.length);
    const view = viewOf(bytes);
    for (const [index, sample] of sound.entries()) {
      const value = Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
      view.setInt16(2 * index, value, true);
    }
    return sound.length === 0 ? [] : [{ type: 'packet', packet: { bytes, samples: sound.length } }];
  };
  return {
    track: { ...createPcmTrack(rate), skippedSamples: scaled(skippedSamples) },
    scaled,
    push: (bytes: Uint8Array) => write(resampler?.push(toMono(bytes)) ?? toMono(bytes)),
    end: () => write(resampler?.end() ?? new Float32Array(0)),
  };
}
