import { copyBytes } from '../bytes.ts';
import type { SampleDecoder, SampleSink } from './sample-decoder.ts';

/** Keeps everything and lets the browser decode it at the end: no sound before the last byte. */
export function createWholeFileDecoder(context: BaseAudioContext, sink: SampleSink): SampleDecoder {
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let isClosed = false;
  return {
    async write(bytes) {
      pieces.push(copyBytes(bytes));
    },
    async end() {
      const file = await new Blob(pieces).arrayBuffer();
      pieces = [];
      const { numberOfChannels, sampleRate, ...buffer } = described(await context.decodeAudioData(file));
      if (isClosed) return;
      const channels = Array.from({ length: numberOfChannels }, (_, channel) => buffer.channel(channel));
      sink({ channels, sampleRate });
    },
    close() {
      isClosed = true;
      pieces = [];
    },
    pendingSeconds: 0,
  };
}

function described(buffer: AudioBuffer) {
  return {
    numberOfChannels: buffer.numberOfChannels,
    sampleRate: buffer.sampleRate,
    channel: (index: number) => new Float32Array(buffer.getChannelData(index)),
  };
}
