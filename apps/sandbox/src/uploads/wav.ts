import { createWavReader, sampleReaderOf } from '@speech-api/audio';
import { type SoundBlock, UnreadableAudioError } from './sound.ts';

const framesABlock = 65_536;

/**
 * The samples of a wav file. The bytes are counted; the sizes in the header are believed only where they are smaller.
 *
 * @throws UnreadableAudioError
 */
export function* readWav(bytes: Uint8Array): Generator<SoundBlock> {
  const reader = createWavReader();
  const data = reader.push(bytes);
  const { header } = reader;
  if (header === undefined)
    throw new UnreadableAudioError('the wav file has no samples, or no complete header');
  const { encoding, formatTag, channels, sampleRate, bitsPerSample, bytesPerFrame } = header;
  if (encoding === 'other')
    throw new UnreadableAudioError(`its samples are compressed (WAV format tag ${formatTag}); use PCM`);
  const read = sampleReaderOf(header);
  if (read === undefined)
    throw new UnreadableAudioError(
      `its samples of ${bitsPerSample} bits are not readable; use 8, 16, 24 or 32 bits`,
    );
  const frames = Math.floor(data.length / bytesPerFrame);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let start = 0; start < frames; start += framesABlock) {
    const samples = new Float32Array(Math.min(framesABlock, frames - start));
    for (let index = 0; index < samples.length; index += 1) {
      const position = (start + index) * bytesPerFrame;
      let sum = 0;
      for (let channel = 0; channel < channels; channel += 1)
        sum += read(view, position + (channel * bytesPerFrame) / channels);
      // A float sample can be NaN or infinite; both count as silence.
      const sample = sum / channels;
      samples[index] = Number.isFinite(sample) ? Math.max(-8, Math.min(8, sample)) : 0;
    }
    yield { samples, sampleRate, channels };
  }
}
