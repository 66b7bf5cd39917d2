import { type AudioFormat, defaultSampleRates } from '@speech-api/types';
import { createMp3FrameWalker, type Mp3Frame } from './mp3.ts';
import { createOpusReader } from './opus.ts';
import { createWavReader, type WavHeader } from './wav.ts';

/** Measurements of the audio bytes read so far. */
export interface AudioMeasure {
  /** Duration in seconds, counted in the bytes; never taken from a header. */
  readonly seconds: number;
  /** Hz; undefined while a head is still missing. */
  readonly sampleRate: number | undefined;
  readonly channels: number | undefined;
  /** Samples of each channel. */
  readonly samples: number;
  /** Coded units: mp3 frames or opus packets; for wav and pcm, the same as `samples`. */
  readonly frames: number;
  /** Bytes of an incomplete sample, frame or page at the end: more than 0 after the last byte means a cut. */
  readonly leftoverBytes: number;
}

/** Measures audio while it passes by. Holds back no more than a frame or a page. */
export interface AudioMeter extends AudioMeasure {
  /** @throws AudioFormatError when the bytes are not of the format. */
  push(bytes: Uint8Array): void;
  /** To be called after the last bytes. */
  end(): void;
}

/** Details of the audio that its bytes do not contain. */
export interface AudioMeterOptions {
  /** Hz, for pcm. @defaultValue the default rate of pcm (44100) */
  readonly sampleRate?: number;
  /** For pcm. @defaultValue 1 */
  readonly channels?: number;
}

/** Creates a meter for audio of this format. */
export function createAudioMeter(format: AudioFormat, options: AudioMeterOptions = {}): AudioMeter {
  switch (format) {
    case 'mp3':
      return mp3Meter();
    case 'opus':
      return opusMeter();
    case 'wav':
      return wavMeter();
    case 'pcm':
      return pcmMeter(options);
  }
}

/** Measures audio that is all there. */
export function measureAudio(
  bytes: Uint8Array,
  format: AudioFormat,
  options?: AudioMeterOptions,
): AudioMeasure {
  const meter = createAudioMeter(format, options);
  meter.push(bytes);
  meter.end();
  return meter;
}

const PCM_SAMPLE_BYTES = 2;

function pcmMeter({ sampleRate = defaultSampleRates.pcm, channels = 1 }: AudioMeterOptions): AudioMeter {
  return sampleMeter(
    (bytes) => bytes,
    () => ({ sampleRate, channels, bytesPerFrame: channels * PCM_SAMPLE_BYTES }),
  );
}

function wavMeter(): AudioMeter {
  const reader = createWavReader();
  return sampleMeter(reader.push, () => reader.header);
}

type SampleLayout = Pick<WavHeader, 'sampleRate' | 'channels' | 'bytesPerFrame'>;

function sampleMeter(
  samplesOf: (bytes: Uint8Array) => Uint8Array,
  layoutOf: () => SampleLayout | undefined,
): AudioMeter {
  let sampleBytes = 0;
  let allBytes = 0;
  function push(bytes: Uint8Array): void {
    allBytes += bytes.length;
    sampleBytes += samplesOf(bytes).length;
  }
  return meterOf(push, () => {
    const layout = layoutOf();
    const { sampleRate, channels, bytesPerFrame = 1 } = layout ?? {};
    const samples = Math.floor(sampleBytes / bytesPerFrame);
    const leftoverBytes = layout === undefined ? allBytes : sampleBytes % bytesPerFrame;
    return {
      seconds: samples / (sampleRate ?? 1),
      sampleRate,
      channels,
      samples,
      frames: samples,
      leftoverBytes,
    };
  });
}

function mp3Meter(): AudioMeter {
  const walker = createMp3FrameWalker();
  let sampleRate: number | undefined;
  let channels: number | undefined;
  let coded = 0;
  let frames = 0;
  let trimmed = 0;
  let leftoverBytes = 0;
  let skippedBefore = 0;
  function take(walked: readonly Mp3Frame[]): void {
    for (const frame of walked) {
      if (frame.information !== undefined) {
        trimmed += frame.information.delaySamples + frame.information.paddingSamples;
        continue;
      }
      sampleRate ??= frame.sampleRate;
      channels ??= frame.channels;
      coded += frame.samples;
      frames += 1;
    }
  }
  function push(bytes: Uint8Array): void {
    take(walker.push(bytes));
    skippedBefore = walker.skippedBytes;
  }
  function end(): void {
    take(walker.end());
    leftoverBytes = walker.skippedBytes - skippedBefore;
  }
  function measure(): AudioMeasure {
    // An encoder's delay and padding are in the frames and not in the audio.
    const samples = Math.max(0, coded - trimmed);
    return { seconds: samples / (sampleRate ?? 1), sampleRate, channels, samples, frames, leftoverBytes };
  }
  return meterOf(push, measure, end);
}

function opusMeter(): AudioMeter {
  const reader = createOpusReader();
  let samples = 0;
  let frames = 0;
  function push(bytes: Uint8Array): void {
    for (const packet of reader.push(bytes)) {
      samples += packet.samples - packet.discardStart - packet.discardEnd;
      frames += 1;
    }
  }
  return meterOf(push, () => ({
    seconds: samples / defaultSampleRates.opus,
    sampleRate: reader.head === undefined ? undefined : defaultSampleRates.opus,
    channels: reader.head?.channels,
    samples,
    frames,
    leftoverBytes: reader.pendingBytes,
  }));
}

/** A meter that measures after each piece. */
function meterOf(take: AudioMeter['push'], measure: () => AudioMeasure, finish = (): void => {}): AudioMeter {
  const meter = {
    ...measure(),
    push(bytes: Uint8Array): void {
      take(bytes);
      Object.assign(meter, measure());
    },
    end(): void {
      finish();
      Object.assign(meter, measure());
    },
  };
  return meter;
}
