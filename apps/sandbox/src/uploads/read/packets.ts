import {
  ADTS,
  BufferSource,
  type EncodedPacket,
  EncodedPacketSink,
  FLAC,
  Input,
  MATROSKA,
  MP4,
  OGG,
  QTFF,
  WEBM,
} from 'mediabunny';
import { UnreadableAudioError } from '../unreadable-audio-error.ts';
import type { Measured } from './sound.ts';

/** The packets of the first sound track of a file. */
export interface PacketFile {
  readonly codec: string;
  readonly measured: Measured;
  /** Seconds of the first packet; below zero where an encoder's delay is to be thrown away. */
  readonly start: number;
  /** What the decoder is told before the first packet. */
  readonly description: Uint8Array;
  packets(): AsyncIterable<EncodedPacket>;
}

/**
 * @param onProgress called after every packet that was counted
 * @throws UnreadableAudioError when there is no sound in it
 */
export async function openPackets(bytes: Uint8Array, onProgress: () => void): Promise<PacketFile> {
  const input = new Input({
    source: new BufferSource(bytes),
    formats: [MP4, QTFF, WEBM, MATROSKA, OGG, FLAC, ADTS],
  });
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw new UnreadableAudioError('there is no sound track in it');
  const sink = new EncodedPacketSink(track);
  const config = (await track.getDecoderConfig().catch(() => null)) as {
    readonly description?: ArrayBuffer | ArrayBufferView;
  } | null;
  // Counted packet by packet: what the container says of its length is a header, too.
  let start: number | undefined;
  let end = 0;
  for await (const packet of sink.packets(undefined, undefined, { metadataOnly: true })) {
    start ??= packet.timestamp;
    onProgress();
    end = Math.max(end, packet.timestamp + packet.duration);
  }
  if (start === undefined) throw new UnreadableAudioError('its sound track is empty');
  const sampleRate = await track.getSampleRate();
  const channels = await track.getNumberOfChannels();
  return {
    codec: (await track.getCodec()) ?? 'unknown',
    measured: { seconds: end - Math.max(0, start), sampleRate, channels },
    start,
    description: asBytes(config?.description),
    packets: () => sink.packets(),
  };
}

function asBytes(data: ArrayBuffer | ArrayBufferView | undefined): Uint8Array {
  if (data === undefined) return new Uint8Array(0);
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}
