/** A wav file of mono samples of 16 bits. */
export function wavOf(samples: Int16Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(44 + samples.byteLength);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + samples.byteLength, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples.byteLength, 40);
  Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength).copy(file, 44);
  return new Uint8Array(file);
}
