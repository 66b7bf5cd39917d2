import type { Recording } from './lower-rate.ts';

/** Seconds that are read: a voice is known by then. */
const mostSeconds = 30;
const pcm = 1;
const float = 3;
/** The kind of samples is told further on. */
const extensible = 0xfffe;

interface Form {
  readonly kind: number;
  readonly channels: number;
  readonly sampleRate: number;
  /** Bytes a sample. */
  readonly width: number;
}

/** The beginning of a wav file as mono samples; `undefined` for anything that is not wav with plain samples. */
export function readWav(bytes: Uint8Array): Recording | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || tag(view, 0) !== 'RIFF' || tag(view, 8) !== 'WAVE') return undefined;
  let form: Form | undefined;
  for (let offset = 12; offset + 8 <= bytes.length; ) {
    const size = view.getUint32(offset + 4, true);
    const start = offset + 8;
    // A file that was streamed has no true sizes: the bytes that are there count.
    const end = Math.min(start + size, bytes.length);
    if (tag(view, offset) === 'fmt ') form = readForm(view, start, end);
    if (tag(view, offset) === 'data') return form && readSamples(view, start, end, form);
    offset = start + size + (size % 2);
  }
  return undefined;
}

function readForm(view: DataView, start: number, end: number): Form | undefined {
  if (end - start < 16) return undefined;
  const said = view.getUint16(start, true);
  const form = {
    kind: said === extensible && end - start >= 26 ? view.getUint16(start + 24, true) : said,
    channels: view.getUint16(start + 2, true),
    sampleRate: view.getUint32(start + 4, true),
    width: view.getUint16(start + 14, true) / 8,
  };
  const widths = form.kind === pcm ? [1, 2, 3, 4] : form.kind === float ? [4] : [];
  const isPlausible =
    form.channels >= 1 && form.channels <= 8 && form.sampleRate >= 4000 && form.sampleRate <= 384_000;
  return isPlausible && widths.includes(form.width) ? form : undefined;
}

function readSamples(view: DataView, start: number, end: number, form: Form): Recording {
  const step = form.channels * form.width;
  const count = Math.min(Math.floor((end - start) / step), mostSeconds * form.sampleRate);
  const samples = new Float32Array(Math.max(0, count));
  for (let index = 0; index < samples.length; index += 1) {
    let sum = 0;
    for (let channel = 0; channel < form.channels; channel += 1) {
      sum += readSample(view, start + index * step + channel * form.width, form);
    }
    samples[index] = sum / form.channels;
  }
  return { samples, sampleRate: form.sampleRate };
}

function readSample(view: DataView, at: number, { kind, width }: Form): number {
  if (kind === float) {
    const sample = view.getFloat32(at, true);
    return Number.isFinite(sample) ? Math.min(1, Math.max(-1, sample)) : 0;
  }
  // Eight bits are without a sign, all others with one.
  if (width === 1) return (view.getUint8(at) - 128) / 128;
  if (width === 2) return view.getInt16(at, true) / 2 ** 15;
  if (width === 3) return ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 2 ** 23;
  return view.getInt32(at, true) / 2 ** 31;
}

function tag(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)));
}
