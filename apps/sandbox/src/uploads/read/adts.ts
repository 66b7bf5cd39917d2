const headerBytes = 7;
const sampleRates = [96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350];

/** Puts the header before AAC packets with which they can stand alone, outside their container. */
export type AdtsFramer = (packet: Uint8Array) => Uint8Array;

/**
 * @param description the AudioSpecificConfig of the container
 * @returns `undefined` where the header has no way to say what the container says
 */
export function createAdtsFramer(description: Uint8Array): AdtsFramer | undefined {
  const [first = 0, second = 0] = description;
  if (description.length < 2) return undefined;
  const objectType = first >> 3;
  const rateIndex = ((first & 7) << 1) | (second >> 7);
  const channels = (second >> 3) & 15;
  if (sampleRates[rateIndex] === undefined || channels === 0 || channels > 7) return undefined;
  // The extended kinds (5 and 29) carry a plain one that every decoder finds them in.
  const profile = objectType === 5 || objectType === 29 ? 2 : objectType;
  if (profile < 1 || profile > 4) return undefined;
  return (packet) => {
    const length = packet.length + headerBytes;
    const framed = new Uint8Array(length);
    framed.set([
      0xff,
      0xf1,
      ((profile - 1) << 6) | (rateIndex << 2) | (channels >> 2),
      ((channels & 3) << 6) | (length >> 11),
      (length >> 3) & 0xff,
      ((length & 7) << 5) | 0x1f,
      0xfc,
    ]);
    framed.set(packet, headerBytes);
    return framed;
  };
}
