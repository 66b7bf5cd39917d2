import { readWavHeader } from '@speech-api/audio';
import type { DecodedSamples } from '@speech-api/audio/play';
import { defaultSampleRates } from '@speech-api/types';
import type { Step } from './steps.ts';
import type { Transcript } from './transcript.ts';

/** What the audio of a transcript is; they are all 16-bit samples, with a wav header or without. */
export interface LabAudio {
  readonly format: 'pcm' | 'wav';
  readonly sampleRate: number;
}

export function audioOf({ request }: Transcript): LabAudio {
  const { format, sample_rate: sampleRate } = request.body;
  if (format !== 'pcm' && format !== 'wav') throw new Error(`the lab draws pcm and wav, not ${format}`);
  return { format, sampleRate: sampleRate ?? defaultSampleRates[format] };
}

/** The audio of the first events, joined in arrival order. */
export function joinAudio(steps: readonly Step[]): Uint8Array<ArrayBuffer> {
  const last = steps.at(-1);
  const joined = new Uint8Array(last === undefined ? 0 : last.bytesBefore + last.audio.length);
  for (const { bytesBefore, audio } of steps) joined.set(audio, bytesBefore);
  return joined;
}

/** Its samples, for drawing them. */
export function samplesOf(bytes: Uint8Array<ArrayBuffer>, { format, sampleRate }: LabAudio): DecodedSamples {
  const start = format === 'wav' ? (readWavHeader(bytes)?.dataOffset ?? bytes.length) : 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, bytes.length - start);
  // Half a sample may wait for its other half.
  const samples = new Float32Array(Math.floor(view.byteLength / 2));
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = view.getInt16(index * 2, true) / 32768;
  }
  return { channels: [samples], sampleRate };
}
