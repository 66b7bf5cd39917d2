const sampleRate = 16_000;
const block = new Uint8Array(2 * sampleRate);
const samples = new DataView(block.buffer);
// Four fifths of noise and one of silence: a pause a second.
let state = 1;
for (let index = 0; index < 0.8 * sampleRate; index++) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  samples.setInt16(2 * index, (state >>> 17) - 16_384, true);
}

/** A wav recording of so many seconds, a second at a time. */
export async function* recording(duration: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const head = new Uint8Array(44);
  const view = new DataView(head.buffer);
  head.set(new TextEncoder().encode('RIFF'));
  view.setUint32(4, 0xffff_ffff, true);
  head.set(new TextEncoder().encode('WAVEfmt '), 8);
  view.setUint32(16, 16, true);
  view.setUint32(20, 0x1_0001, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, 2 * sampleRate, true);
  view.setUint32(32, 0x10_0002, true);
  head.set(new TextEncoder().encode('data'), 36);
  view.setUint32(40, 0xffff_ffff, true);
  yield head;
  for (let second = 0; second < duration; second++) yield block;
}
