import { joinBytes } from './bytes.ts';
import { readWavHeader, type WavHeader } from './wav-header.ts';

/** Separates the samples of a wav file from everything else, whatever pieces it arrives in. */
export interface WavReader {
  /** Known once the head has arrived. */
  readonly header: WavHeader | undefined;
  /**
   * The sample bytes among these bytes, cut anywhere. At most the head of the file is held back.
   *
   * @throws AudioFormatError when it is no wav file.
   */
  push(bytes: Uint8Array): Uint8Array;
}

/** The declared size is believed only where it is smaller than what arrives: chunks may follow the samples. */
export function createWavReader(): WavReader {
  let head: Uint8Array = new Uint8Array(0);
  let header: WavHeader | undefined;
  let remaining = Number.POSITIVE_INFINITY;
  return {
    get header() {
      return header;
    },
    push(bytes) {
      let samples = bytes;
      if (header === undefined) {
        head = joinBytes(head, bytes);
        header = readWavHeader(head);
        if (header === undefined) return new Uint8Array(0);
        samples = head.subarray(header.dataOffset);
        head = new Uint8Array(0);
        remaining = header.declaredDataBytes ?? remaining;
      }
      samples = samples.subarray(0, remaining);
      remaining -= samples.length;
      return samples;
    },
  };
}
