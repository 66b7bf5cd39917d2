/** How a tone sounds that the judge makes itself. */
export interface ToneOptions {
  /** How long, in seconds. */
  readonly seconds: number;
  /** In Hz. @defaultValue 16000 */
  readonly sampleRate?: number;
  /** Pitch in whole Hz. @defaultValue 220 */
  readonly pitch?: number;
}

const headerBytes = 44;
const bytesPerSample = 2;

/**
 * A wav file (16-bit, mono) with a tone that swells and fades three times a second, as loud as speech is.
 * What a judge sends where any recording will do, so that it brings no recordings of people.
 */
export function toneAsWav({ seconds, sampleRate = 16_000, pitch = 220 }: ToneOptions): Uint8Array {
  const samples = Math.round(seconds * sampleRate);
  const file = Buffer.alloc(headerBytes + samples * bytesPerSample);
  // Every second sounds like the first: writing each sample anew takes a second for the largest file a server takes.
  file.fill(oneSecond(Math.min(samples, sampleRate), sampleRate, pitch), headerBytes);
  writeHeader(file, sampleRate);
  return new Uint8Array(file.buffer, file.byteOffset, file.length);
}

function oneSecond(samples: number, sampleRate: number, pitch: number): Buffer {
  const sound = Buffer.alloc(samples * bytesPerSample);
  for (let index = 0; index < samples; index += 1) {
    const at = index / sampleRate;
    const swell = 0.5 - 0.5 * Math.cos(2 * Math.PI * 3 * at);
    const level = 12_000 * swell * Math.sin(2 * Math.PI * pitch * at);
    sound.writeInt16LE(Math.round(level), index * bytesPerSample);
  }
  return sound;
}

function writeHeader(file: Buffer, sampleRate: number): void {
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * bytesPerSample, 28);
  file.writeUInt16LE(bytesPerSample, 32);
  file.writeUInt16LE(8 * bytesPerSample, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(file.length - headerBytes, 40);
}
