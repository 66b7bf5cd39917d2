import { viewOf } from './bytes.ts';
import { RecordingError } from './errors.ts';
import type { Track, TrackEvent } from './formats/track.ts';
import { createPcmTrack } from './formats/wav.ts';
import { createResampler } from './resampler.ts';

/** Enough for speech. */
const shrunkenRate = 16_000;
const blockSeconds = 0.02;

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
  const blockSamples = Math.round(rate * blockSeconds);
  const resampler = sampleRate > rate ? createResampler(sampleRate, rate) : undefined;
  const scaled = (samples: number): number => Math.round((samples * rate) / sampleRate);
  let block = new Uint8Array(2 * blockSamples);
  let filled = 0;
  const finish = (): TrackEvent => {
    const bytes = block.subarray(0, 2 * filled);
    const event: TrackEvent = { type: 'packet', packet: { bytes, samples: filled } };
    block = new Uint8Array(2 * blockSamples);
    filled = 0;
    return event;
  };
  function* write(sound: Float32Array): Generator<TrackEvent> {
    for (const sample of sound) {
      const value = Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
      viewOf(block).setInt16(2 * filled, value, true);
      filled += 1;
      if (filled === blockSamples) yield finish();
    }
  }
  return {
    track: { ...createPcmTrack(rate), skippedSamples: scaled(skippedSamples) },
    scaled,
    push: (bytes: Uint8Array): TrackEvent[] => {
      const sound = toMono(bytes);
      return [...write(resampler?.push(sound) ?? sound)];
    },
    end(): TrackEvent[] {
      const rest = resampler === undefined ? [] : [...write(resampler.end())];
      return filled === 0 ? rest : [...rest, finish()];
    },
  };
}
