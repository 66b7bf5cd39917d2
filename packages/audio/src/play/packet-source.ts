import { type AudioFormat, defaultSampleRates } from '@speech-api/types';
import { createMp3FrameWalker, type Mp3Frame } from '../mp3-frame-walker.ts';
import { createOpusReader } from '../opus-reader.ts';

/** One coded packet, as a decoder takes it. */
export interface CodedPacket {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Samples of each channel that decoding gives. */
  readonly samples: number;
  readonly discardStart: number;
  readonly discardEnd: number;
}

/** Packets out of a file, and how to decode them. */
export interface PacketSource {
  push(bytes: Uint8Array): CodedPacket[];
  end(): CodedPacket[];
  /** Known with the first packet; undefined then too where packets alone are not enough to decode. */
  readonly configuration: AudioDecoderConfig | undefined;
}

export function createPacketSource(format: Extract<AudioFormat, 'mp3' | 'opus'>): PacketSource {
  return format === 'mp3' ? mp3Packets() : opusPackets();
}

// A decoder of layer III runs this many samples behind; LAME's count of its own delay leaves them out.
const LAYER_III_DECODER_DELAY = 529;

function mp3Packets(): PacketSource {
  const walker = createMp3FrameWalker();
  let configuration: AudioDecoderConfig | undefined;
  let toDiscard = 0;
  function packetsOf(frames: readonly Mp3Frame[]): CodedPacket[] {
    const packets: CodedPacket[] = [];
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
      // Other families need their channel table, which only a decoder of whole files is given here.
      if (head === undefined || head.mappingFamily !== 0) return undefined;
      return { codec: 'opus', sampleRate: defaultSampleRates.opus, numberOfChannels: head.channels };
    },
  };
}
