/** Bitrates of MPEG-1 Layer III in kbit/s, by their index in a frame header. */
const bitrates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const rates = [44_100, 48_000, 32_000];

/** Position and length of each frame. Only MPEG-1 Layer III, the only one that is spoken here. */
export function mp3Frames(mp3: Buffer): { readonly at: number; readonly length: number }[] {
  const frames: { at: number; length: number }[] = [];
  let at = 0;
  while (at + 4 <= mp3.length) {
    if (mp3.readUInt16BE(at) >> 1 !== 0x7ffd) throw new Error(`there is no mp3 frame at byte ${at}`);
    const bits = mp3.readUInt8(at + 2);
    const bitrate = bitrates[bits >> 4] ?? 0;
    const rate = rates[(bits >> 2) & 3] ?? 0;
    const length = Math.floor((144_000 * bitrate) / rate) + ((bits >> 1) & 1);
    frames.push({ at, length });
    at += length;
  }
  return frames;
}
