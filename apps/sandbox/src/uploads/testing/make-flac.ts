/** A FLAC file (RFC 9639) of 16-bit mono samples at 16 kHz, stored without being packed: what every decoder reads. */
export function makeFlac(samples: Int16Array): Uint8Array {
  const blockSize = 4096;
  const frames: Buffer[] = [];
  for (let start = 0; start < samples.length; start += blockSize) {
    frames.push(frame(samples.subarray(start, start + blockSize), frames.length));
  }
  const info = Buffer.alloc(34);
  info.writeUInt16BE(blockSize, 0);
  info.writeUInt16BE(blockSize, 2);
  // 20 bits of rate, 3 of channels - 1, 5 of bits - 1, then the number of samples.
  info.writeUInt32BE(((16000 << 12) | (15 << 4)) >>> 0, 10);
  info.writeUInt32BE(samples.length, 14);
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), info, ...frames]);
}

function frame(samples: Int16Array, number: number): Buffer {
  // Sync, fixed block size; block size as 16 bits at the end of the head, 16 kHz; mono, 16 bits.
  const head = Buffer.from([0xff, 0xf8, 0x75, 0x08, ...utf8Number(number), 0, 0]);
  head.writeUInt16BE(samples.length - 1, head.length - 2);
  const body = Buffer.alloc(1 + 2 * samples.length);
  body[0] = 0b0000_0010;
  samples.forEach((sample, index) => {
    body.writeInt16BE(sample, 1 + 2 * index);
  });
  const covered = Buffer.concat([head, Buffer.from([checksum(head, 8, 0x07)]), body]);
  const end = Buffer.alloc(2);
  end.writeUInt16BE(checksum(covered, 16, 0x8005));
  return Buffer.concat([covered, end]);
}

function utf8Number(number: number): number[] {
  return number < 128 ? [number] : [0xc0 | (number >> 6), 0x80 | (number & 63)];
}

function checksum(bytes: Uint8Array, bits: 8 | 16, polynomial: number): number {
  const top = 1 << (bits - 1);
  const mask = 2 ** bits - 1;
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) value = ((value << 1) ^ (value & top ? polynomial : 0)) & mask;
  }
  return value;
}
