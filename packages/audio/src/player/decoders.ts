import { type AudioFormat, defaultSampleRates } from '@speech-api/types';
import { copyBytes, joinBytes, viewOf } from '../bytes.ts';
import { AudioFormatError } from '../errors.ts';
import { createMp3FrameWalker, type Mp3Frame } from '../mp3.ts';
import { createOpusReader, type OpusPacket } from '../opus.ts';
import { createWavReader, type WavHeader } from '../wav.ts';

/** The part of WebCodecs that decodes audio; handed in so that tests can bring their own. */
export interface Codecs {
  isSupported(configuration: AudioDecoderConfig): Promise<boolean>;
  createDecoder(callbacks: AudioDecoderInit): AudioDecoder;
  createChunk(chunk: EncodedAudioChunkInit): EncodedAudioChunk;
}

/** The browser's own; undefined where it has no WebCodecs. */
export function browserCodecs(): Codecs | undefined {
  if (typeof AudioDecoder === 'undefined') return undefined;
  return {
    async isSupported(configuration) {
      // Some browsers reject for codecs they have never heard of.
      const answer = await AudioDecoder.isConfigSupported(configuration).catch(() => undefined);
      return answer?.supported === true;
    },
    createDecoder: (callbacks) => new AudioDecoder(callbacks),
    createChunk: (chunk) => new EncodedAudioChunk(chunk),
  };
}

/** Decoded audio: one array per channel, all of the same length. */
export interface Samples {
  readonly channels: readonly Float32Array<ArrayBuffer>[];
  /** Hz. */
  readonly sampleRate: number;
}

/** A function that receives decoded audio, in order. */
export type SampleSink = (samples: Samples) => void;

/** Turns bytes of one format, cut anywhere, into samples for a sink. Calls never overlap. */
export interface SampleDecoder {
  write(bytes: Uint8Array): Promise<void>;
  /** Resolves when the sink has everything. */
  end(): Promise<void>;
  /** Releases the decoder; nothing reaches the sink afterwards. */
  close(): void;
  /** Seconds of audio received that have not reached the sink yet. */
  readonly pendingSeconds: number;
}

/** Packets of mp3 or opus out of a file, and how to decode them. */
export interface PacketSource {
  push(bytes: Uint8Array): OpusPacket[];
  end(): OpusPacket[];
  /** Set with the first packet; stays undefined if packets alone cannot be decoded. */
  readonly configuration: AudioDecoderConfig | undefined;
}

// A decoder of layer III runs this many samples behind; LAME's count of its own delay leaves them out.
const LAYER_III_DECODER_DELAY = 529;

function mp3Packets(): PacketSource {
  const walker = createMp3FrameWalker();
  let configuration: AudioDecoderConfig | undefined;
  let toDiscard = 0;
  function packetsOf(frames: readonly Mp3Frame[]): OpusPacket[] {
    const packets: OpusPacket[] = [];
    for (const { bytes, samples, sampleRate, channels, information } of frames) {
      if (information !== undefined) {
        if (information.delaySamples > 0) toDiscard = information.delaySamples + LAYER_III_DECODER_DELAY;
        continue;
      }
      configuration ??= { codec: 'mp3', sampleRate, numberOfChannels: channels };
      const discardStart = Math.min(toDiscard, samples);
      toDiscard -= discardStart;
      packets.push({ bytes, samples, discardStart, discardEnd: 0 });
    }
    return packets;
  }
  return {
    push: (bytes) => packetsOf(walker.push(bytes)),
    end: () => packetsOf(walker.end()),
    get configuration() {
      return configuration;
    },
  };
}

function opusPackets(): PacketSource {
  const reader = createOpusReader();
  return {
    push: (bytes) => reader.push(bytes),
    end: () => [],
    get configuration() {
      const { head } = reader;
      // Other channel mappings need their table, which only a decoder of whole files gets here.
      if (head === undefined || head.mappingFamily !== 0) return undefined;
      return { codec: 'opus', sampleRate: defaultSampleRates.opus, numberOfChannels: head.channels };
    },
  };
}

/** Positions in the decoded stream. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** A WebCodecs decoder that leaves out the samples which are not part of the audio. */
function createPacketDecoder(
  codecs: Codecs,
  configuration: AudioDecoderConfig,
  sink: SampleSink,
  onError: (error: Error) => void,
) {
  const { sampleRate } = configuration;
  let count = 0;
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
        const channels = Array.from({ length: data.numberOfChannels }, (_, planeIndex) => {
          const plane = new Float32Array(data.numberOfFrames);
          // Copied whole and then cut: WebKit ends the page where a copy begins behind the first frame.
          data.copyTo(plane, { planeIndex, format: 'f32-planar' });
          return plane.subarray(range.from - from, range.to - from);
        });
        sink({ channels, sampleRate: data.sampleRate });
      }
      data.close();
    },
    error: onError,
  });
  decoder.configure(configuration);

  return {
    decode(packets: readonly OpusPacket[]): void {
      for (const { bytes, samples, discardStart, discardEnd } of packets) {
        if (discardStart > 0) discarded.push({ from: count, to: count + discardStart });
        const timestamp = Math.round((count / sampleRate) * 1e6);
        count += samples;
        if (discardEnd > 0) discarded.push({ from: count - discardEnd, to: count });
        decoder.decode(codecs.createChunk({ type: 'key', timestamp, data: bytes }));
      }
    },
    end: () => decoder.flush(),
    close() {
      isClosed = true;
      if (decoder.state !== 'closed') decoder.close();
    },
    /** Seconds of audio that the decoder has received and not returned yet. */
    get pendingSeconds() {
      return Math.max(0, count - received) / sampleRate;
    },
  };
}

/** The parts of a range that are not discarded; `discarded` is in order and does not overlap. */
function remaining(range: Range, discarded: readonly Range[]): Range[] {
  const ranges: Range[] = [];
  let from = range.from;
  for (const hole of discarded) {
    if (hole.to <= from || hole.from >= range.to) continue;
    if (hole.from > from) ranges.push({ from, to: hole.from });
    from = hole.to;
  }
  if (from < range.to) ranges.push({ from, to: range.to });
  return ranges;
}

/** A wav file with 16-bit samples. */
export function createWavDecoder(sink: SampleSink): SampleDecoder {
  const reader = createWavReader();
  const layout = () => {
    const { header } = reader;
    if (header !== undefined && (header.encoding !== 'integer' || header.bitsPerSample !== 16)) {
      throw new AudioFormatError('Only wav files with 16-bit integer samples can be played.', 'unsupported');
    }
    return header;
  };
  return createInterleavedDecoder(layout, reader.push, sink);
}

/** 16-bit little-endian samples, those of all channels in turn. */
function createInterleavedDecoder(
  layoutOf: () => Pick<WavHeader, 'sampleRate' | 'channels'> | undefined,
  samplesOf: (bytes: Uint8Array) => Uint8Array,
  sink: SampleSink,
): SampleDecoder {
  let carried: Uint8Array = new Uint8Array(0);
  return {
    async write(bytes) {
      const samples = samplesOf(bytes);
      const layout = layoutOf();
      if (layout === undefined) return;
      const available = joinBytes([carried, samples]);
      const frames = Math.floor(available.length / (layout.channels * 2));
      const used = frames * layout.channels * 2;
      if (frames > 0) {
        sink({ sampleRate: layout.sampleRate, channels: separate(available, layout.channels, frames) });
      }
      carried = available.slice(used);
    },
    async end() {},
    close() {},
    pendingSeconds: 0,
  };
}

function separate(bytes: Uint8Array, channels: number, frames: number): Float32Array<ArrayBuffer>[] {
  const view = viewOf(bytes);
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(frames);
    for (let frame = 0; frame < frames; frame++) {
      samples[frame] = view.getInt16((frame * channels + channel) * 2, true) / 32768;
    }
    return samples;
  });
}

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
      const buffer = await context.decodeAudioData(file);
      if (isClosed) return;
      const { numberOfChannels: length, sampleRate } = buffer;
      const channels = Array.from(
        { length },
        (_, channel) => new Float32Array(buffer.getChannelData(channel)),
      );
      sink({ channels, sampleRate });
    },
    close() {
      isClosed = true;
      pieces = [];
    },
    pendingSeconds: 0,
  };
}

/**
 * Decodes mp3 and opus while they arrive, through WebCodecs. Where the browser can not, everything is kept and decoded
 * at the end.
 *
 * @param onError - Called when decoding fails between calls.
 */
export function createCompressedDecoder(
  format: Extract<AudioFormat, 'mp3' | 'opus'>,
  platform: { readonly codecs: Codecs | undefined },
  context: BaseAudioContext,
  sink: SampleSink,
  onError: (error: Error) => void,
): SampleDecoder {
  const source = format === 'mp3' ? mp3Packets() : opusPackets();
  const wholeFile = createWholeFileDecoder(context, sink);
  let packetDecoder: ReturnType<typeof createPacketDecoder> | undefined;
  // Bytes that arrived before their decoder was known: at most the head of the file.
  let undecided: Uint8Array[] | undefined = [];
  let isClosed = false;

  async function decide(): Promise<void> {
    const { configuration } = source;
    const { codecs } = platform;
    if (codecs !== undefined && configuration !== undefined && (await codecs.isSupported(configuration))) {
      if (!isClosed) packetDecoder = createPacketDecoder(codecs, configuration, sink, onError);
    } else {
      for (const bytes of undecided ?? []) await wholeFile.write(bytes);
    }
    undecided = undefined;
  }

  return {
    async write(bytes) {
      if (undecided === undefined && packetDecoder === undefined) return wholeFile.write(bytes);
      undecided?.push(copyBytes(bytes));
      const packets = source.push(bytes);
      if (undecided !== undefined && packets.length > 0) await decide();
      packetDecoder?.decode(packets);
    },
    async end() {
      if (undecided === undefined && packetDecoder === undefined) return wholeFile.end();
      const packets = source.end();
      if (undecided !== undefined && packets.length > 0) await decide();
      if (undecided !== undefined) {
        if (undecided.every((bytes) => bytes.length === 0)) return;
        throw new AudioFormatError(`No ${format} audio was found in these bytes.`, 'not-recognised');
      }
      packetDecoder?.decode(packets);
      await (packetDecoder ?? wholeFile).end();
    },
    close() {
      isClosed = true;
      packetDecoder?.close();
      wholeFile.close();
    },
    get pendingSeconds() {
      return packetDecoder?.pendingSeconds ?? 0;
    },
  };
}

/** The decoder of a format. */
export function createDecoder(
  format: AudioFormat,
  platform: { readonly codecs: Codecs | undefined },
  context: BaseAudioContext,
  sampleRate: number,
  sink: SampleSink,
  onError: (error: Error) => void,
): SampleDecoder {
  switch (format) {
    case 'pcm':
      return createInterleavedDecoder(
        () => ({ sampleRate, channels: 1 }),
        (bytes) => bytes,
        sink,
      );
    case 'wav':
      return createWavDecoder(sink);
    case 'mp3':
    case 'opus':
      return createCompressedDecoder(format, platform, context, sink, onError);
  }
}
