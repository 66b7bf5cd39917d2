import {
  flacFrameGrowth,
  flacFrameSamples,
  flacHeaderBytes,
  readFlacInformation,
  writeFlac,
} from '@speech-api/audio/containers';
import type { PacketCodec } from './track.ts';

/** The frames of FLAC, whatever container they come from; its parts are FLAC files. */
export function openFlac(description: Uint8Array): PacketCodec {
  const information = readFlacInformation(description);
  const { sampleRate } = information;
  return {
    samplesOf: flacFrameSamples,
    totalSamples: information.samples,
    skipIsInHead: true,
    track: {
      description: `flac (${sampleRate} Hz)`,
      extension: 'flac',
      mediaType: 'audio/flac',
      sampleRate,
      skippedSamples: 0,
      warmUpSeconds: 0,
      tailPackets: 0,
      headerBytes: flacHeaderBytes,
      packetOverhead: () => flacFrameGrowth,
      write(packets) {
        const samples = packets.reduce((sum, packet) => sum + packet.samples, 0);
        return writeFlac(
          information,
          packets.map(({ bytes }) => bytes),
          samples,
        );
      },
      decode: async (file) => {
        const { FLACDecoder } = await import('@wasm-audio-decoders/flac');
        const decoder = new FLACDecoder();
        await decoder.ready;
        try {
          const { channelData, sampleRate: rate } = await decoder.decodeFile(file);
          return { channels: channelData, sampleRate: rate };
        } finally {
          decoder.free();
        }
      },
    },
  };
}
