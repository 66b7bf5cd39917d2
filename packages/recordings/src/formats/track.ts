import { unsupported } from '../errors.ts';

/** The smallest piece that a recording can be cut at: a frame, a packet, or a block of samples. */
export interface Packet {
  readonly bytes: Uint8Array;
  /** Samples of each channel that it adds to the recording. */
  readonly samples: number;
}

/** Writes one file from packets of several files. */
export interface JoinedWriter {
  /** The bytes that this packet completes. */
  write(packet: Packet): Uint8Array[];
  end(): Uint8Array[];
}

/** Sound with separate channels: mixing channels of opposite phase would make silence. */
export interface Sound {
  readonly channels: readonly Float32Array[];
  readonly sampleRate: number;
}

/** Properties of all packets of one stream, and the function that makes a valid file of some of them. */
export interface Track {
  /** For people: `wav (16-bit PCM)`. */
  readonly description: string;
  /** File name ending and media type of its parts. */
  readonly extension: string;
  readonly mediaType: string;
  /** Sample rate in which packets are counted. */
  readonly sampleRate: number;
  /** Samples that players of the whole recording skip at its start. */
  readonly skippedSamples: number;
  /** Seconds of sound before a cut that a part starts with, until its decoder is accurate. */
  readonly warmUpSeconds: number;
  /** Packets after a cut that a decoder needs for the last sound of a part. */
  readonly tailPackets: number;
  /** Bytes of a file other than its packets. */
  readonly headerBytes: number;
  /** Bytes that the container adds to a packet of this size, rounded up. */
  packetOverhead(bytes: number): number;
  /** The pieces of a valid file of these packets, which starts at 0; most pieces refer to the packets' memory. */
  write(packets: readonly Packet[]): readonly Uint8Array[];
  /** Number of packets after which the file is a plain sequence of packets. */
  readonly plainAfter?: number;
  /** Joins packets of several files of this kind into one file, whose players skip `skippedSamples`. */
  startJoined?(): { readonly writer: JoinedWriter; readonly skippedSamples: number };
  /** Decodes a file of this track, for finding pauses; undefined if there is no decoder. */
  decode?(file: Uint8Array): Promise<Sound>;
  /** True if decoders output nothing for the first packet of a file. */
  readonly firstPacketIsMute?: boolean;
  /** A packet of silence, for gaps and for tracks that are shorter than a file may be. */
  readonly silence?: Packet;
}

/** For descriptions: `1 channel`. */
export function channelsOf(count: number): string {
  return `${count || 'other'} ${count === 1 ? 'channel' : 'channels'}`;
}

/** The findings of a reader, in order. A chained recording has several tracks, one after another. */
export type TrackEvent =
  | {
      readonly type: 'track';
      readonly track: Track;
      /** Seconds of audio in a track whose header announces more than the file holds. */
      readonly breaksOffAfter?: number | undefined;
    }
  | { readonly type: 'packet'; readonly packet: Packet }
  /** What a person should know before the recording is sent, as a sentence. */
  | { readonly type: 'note'; readonly text: string }
  /** The end of a track; `trimmedSamples` of its last packets are not part of the recording. */
  | { readonly type: 'track-end'; readonly trimmedSamples: number; readonly isTruncated: boolean };

/** Reads a container, whatever pieces it arrives in. Holds back no more than a packet. */
export interface TrackReader {
  push(bytes: Uint8Array): TrackEvent[];
  end(): TrackEvent[];
}

/** A codec whose headers were read; packets come one by one, from any container. */
export interface PacketCodec {
  readonly track: Track;
  /** Samples that a packet adds; undefined for an invalid packet. Packets must come in order. */
  samplesOf(packet: Uint8Array): number | undefined;
  /** The packet as it is written in a part, if it needs a header. */
  frame?(packet: Uint8Array): Uint8Array;
  /** Cuts a packet into shorter ones, if packets may be long. */
  split?(packet: Uint8Array): readonly Packet[];
  /** Samples of the whole file, if its head says so. */
  readonly totalSamples?: number;
  /** True if the header states how much to skip at the start, rather than the first position of an Ogg stream. */
  readonly skipIsInHead: boolean;
}

/** A pause between packets that is longer than this is a gap. Seconds. */
const gapTolerance = 0.03;
/** Seconds of silence that may be filled in beyond the amount of sound: a container may state any time. */
const maximumFilled = 60;

/**
 * The packets of silence that keep the words after a gap at their time, for a packet at this time, after this many samples.
 *
 * @throws RecordingError for a gap that cannot be filled
 */
export type Gaps = (seconds: number, samples: number) => Iterable<{ type: 'packet'; packet: Packet }>;

/** The rule for gaps in all containers: calls lose packets, and muted recorders write none. */
export function createGaps(container: string, track: Track): Gaps {
  let filled = 0;
  return function* (seconds, samples) {
    const before = samples / track.sampleRate;
    const gap = seconds - before;
    if (gap <= gapTolerance) return;
    filled += gap;
    const { silence } = track;
    if (silence === undefined || filled > maximumFilled + before)
      throw unsupported(
        `${container} without sound from ${before.toFixed(1)} s to ${seconds.toFixed(1)} s, where packets are missing`,
      );
    for (let count = Math.round((gap * track.sampleRate) / silence.samples); count > 0; count--)
      yield { type: 'packet', packet: silence };
  };
}
