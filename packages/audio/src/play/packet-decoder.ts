import type { CodedPacket } from './packet-source.ts';
import type { Codecs } from './platform.ts';
import type { SampleSink } from './sample-decoder.ts';

/** A WebCodecs decoder that leaves out the samples which are not part of the audio. */
export interface PacketDecoder {
  decode(packets: readonly CodedPacket[]): void;
  end(): Promise<void>;
  close(): void;
  /** Seconds of audio given in and not out yet. */
  readonly pendingSeconds: number;
}

/** Positions in the decoded stream. */
interface Range {
  readonly from: number;
  readonly to: number;
}

export function createPacketDecoder(
  codecs: Codecs,
  configuration: AudioDecoderConfig,
  sink: SampleSink,
  onError: (error: Error) => void,
): PacketDecoder {
  const { sampleRate } = configuration;
  let given = 0;
  let received = 0;
  // A decoder may hold a packet back and give two at once, so what to leave out is kept by position, not by packet.
  let discarded: Range[] = [];
  let isClosed = false;

  const decoder = codecs.createDecoder({
    output(data) {
      const from = received;
      received += data.numberOfFrames;
      const keep = remaining({ from, to: received }, discarded);
      discarded = discarded.filter((range) => range.to > received);
      for (const range of isClosed ? [] : keep) {
        const length = range.to - range.from;
        const channels = Array.from({ length: data.numberOfChannels }, (_, planeIndex) => {
          const plane = new Float32Array(length);
          const frames = { frameOffset: range.from - from, frameCount: length };
          data.copyTo(plane, { planeIndex, format: 'f32-planar', ...frames });
          return plane;
        });
        sink({ channels, sampleRate: data.sampleRate });
      }
      data.close();
    },
    error: onError,
  });
  decoder.configure(configuration);

  return {
    decode(packets) {
      for (const { bytes, samples, discardStart, discardEnd } of packets) {
        if (discardStart > 0) discarded.push({ from: given, to: given + discardStart });
        const timestamp = Math.round((given / sampleRate) * 1e6);
        given += samples;
        if (discardEnd > 0) discarded.push({ from: given - discardEnd, to: given });
        decoder.decode(codecs.createChunk({ type: 'key', timestamp, data: bytes }));
      }
    },
    end: () => decoder.flush(),
    close() {
      isClosed = true;
      if (decoder.state !== 'closed') decoder.close();
    },
    get pendingSeconds() {
      return Math.max(0, given - received) / sampleRate;
    },
  };
}

/** What is left of a range; `discarded` is in order and does not overlap. */
function remaining(range: Range, discarded: readonly Range[]): Range[] {
  const kept: Range[] = [];
  let from = range.from;
  for (const hole of discarded) {
    if (hole.to <= from || hole.from >= range.to) continue;
    if (hole.from > from) kept.push({ from, to: hole.from });
    from = hole.to;
  }
  if (from < range.to) kept.push({ from, to: range.to });
  return kept;
}
