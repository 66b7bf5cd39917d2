const sampleRate = 8_000;

/**
 * A wav file with a tone in it.
 *
 * @param hertz its pitch, which makes two files differ
 */
export function makeWav(hertz: number, seconds = 0.25): Uint8Array<ArrayBuffer> {
  const samples = Int16Array.from({ length: sampleRate * seconds }, (_, index) =>
    Math.round(12_000 * Math.sin((2 * Math.PI * hertz * index) / sampleRate)),
  );
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.byteLength, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.byteLength, 40);
  return new Uint8Array(Buffer.concat([header, Buffer.from(samples.buffer)]));
}
