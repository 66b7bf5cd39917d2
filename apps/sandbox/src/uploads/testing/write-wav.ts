export interface WavSettings {
  readonly sampleRate: number;
  readonly channels?: number;
  readonly bitsPerSample?: number;
  /** What the head says, where it does not say the truth. */
  readonly dataBytes?: number;
}

/** A wav file of integers with the same samples on every channel. */
export function writeWav(samples: Int16Array, settings: WavSettings): Uint8Array {
  const { sampleRate, channels = 1, bitsPerSample = 16 } = settings;
  const step = bitsPerSample / 8;
  const data = Buffer.alloc(samples.length * channels * step);
  samples.forEach((sample, frame) => {
    for (let channel = 0; channel < channels; channel += 1) {
      const at = (frame * channels + channel) * step;
      if (step === 1) data.writeUInt8((sample >> 8) + 128, at);
      else data.writeIntLE(sample * 2 ** (bitsPerSample - 16), at, step);
    }
  });
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate * channels * step, 28);
  head.writeUInt16LE(channels * step, 32);
  head.writeUInt16LE(bitsPerSample, 34);
  head.write('data', 36);
  head.writeUInt32LE(settings.dataBytes ?? data.length, 40);
  return Buffer.concat([head, data]);
}
