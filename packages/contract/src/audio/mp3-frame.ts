/** The head of a frame of MPEG audio, layer III. */
export interface Mp3Frame {
  readonly bytes: number;
  readonly kbps: number;
  readonly sampleRate: number;
  readonly samples: number;
  readonly channels: number;
  /** Where a Xing or Info header would stand in it. */
  readonly sideInformationEnds: number;
}

const kbpsOfVersion1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const kbpsOfVersion2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const ratesOfVersion1 = [44_100, 48_000, 32_000];

/** The frame that begins here; `undefined` where none does. */
export function readFrame(bytes: Uint8Array, position: number): Mp3Frame | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(position, position + 4);
  const version = (second >> 3) & 3;
  if (first !== 0xff || (second & 0xe6) !== 0xe2 || version === 1) return undefined;
  const isVersion1 = version === 3;
  const kbps = (isVersion1 ? kbpsOfVersion1 : kbpsOfVersion2)[third >> 4];
  const fullRate = ratesOfVersion1[(third >> 2) & 3];
  if (kbps === undefined || kbps === 0 || fullRate === undefined) return undefined;
  const sampleRate = fullRate / (isVersion1 ? 1 : version === 2 ? 2 : 4);
  const padding = (third >> 1) & 1;
  const channels = fourth >> 6 === 3 ? 1 : 2;
  const sideInformation = isVersion1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  return {
    bytes: Math.floor(((isVersion1 ? 144_000 : 72_000) * kbps) / sampleRate) + padding,
    kbps,
    sampleRate,
    samples: isVersion1 ? 1152 : 576,
    channels,
    sideInformationEnds: 4 + sideInformation,
  };
}

/** Where the frames begin, behind ID3 tags. */
export function skipTags(bytes: Uint8Array): number {
  let position = 0;
  while (Buffer.from(bytes.subarray(position, position + 3)).toString('latin1') === 'ID3') {
    const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(position + 6, position + 10);
    position += 10 + ((a & 127) << 21) + ((b & 127) << 14) + ((c & 127) << 7) + (d & 127);
  }
  return position;
}
