import type { EncodedPacket, InputAudioTrack } from 'mediabunny';
import { damaged, RecordingError, unsupported } from '../errors.ts';
import type { SeekableSource } from '../source.ts';
import { openAac, openAdts } from './aac.ts';
import { openDemuxerSource } from './demuxer-source.ts';
import { openFlac } from './flac.ts';
import { openMp3 } from './mp3.ts';
import { openOpus } from './opus.ts';
import type { PacketCodec, Track, TrackEvent } from './track.ts';
import { openVorbis, readXiphHeaders } from './vorbis.ts';
import { openPcm, type PcmEncoding } from './wav.ts';

/** Packets are handed on in groups, so that a long file takes few turns. */
const packetsPerGroup = 64;
/** Seconds. A pause in the packets that is longer than this is filled, or is an error. */
const tolerance = 0.03;
/** Seconds that may be filled in all, beside as many as there are of sound: a container may claim any time. */
const maximumFilled = 60;

/** Packets of a container so far. */
interface Placed {
  /** Time of the first packet, and of the clock when it began. */
  first?: number;
  clockStart?: number;
  samples: number;
  /** Seconds. */
  filled: number;
}

/**
 * The first track of sound of an mp4, mov, webm, Matroska or MPEG-TS file; films are left behind. mediabunny reads the container, and
 * is loaded when there is one. Parts are files of the codec's own container.
 */
export async function* readDemuxed(
  container: string,
  source: Omit<SeekableSource, typeof Symbol.asyncIterator> | ReadableStream<Uint8Array>,
): AsyncGenerator<readonly TrackEvent[], void, undefined> {
  const { Input, MP4, QTFF, MATROSKA, WEBM, MPEG_TS, EncodedPacketSink } = await import('mediabunny');
  const file = `${container} file`;
  const opened = await openDemuxerSource(container, source);
  const input = new Input({ source: opened.source, formats: [MP4, QTFF, WEBM, MATROSKA, MPEG_TS] });
  const placed: Placed = { samples: 0, filled: 0 };
  let rate = 1;
  try {
    const track = await opened.wait(input.getPrimaryAudioTrack());
    if (track === null) throw damaged(file, 'it holds no track of sound, or breaks off before its index');
    const sink = new EncodedPacketSink(track);
    const packets = sink.packets();
    let { value: packet } = await opened.wait(packets.next());
    const codec = await opened.wait(openCodec(container, track, packet?.data ?? new Uint8Array(0)));
    const last = opened.isSeekable
      ? await sink.getPacket(Number.POSITIVE_INFINITY, { metadataOnly: true })
      : null;
    let group: TrackEvent[] = [];
    let end = Number.NEGATIVE_INFINITY;
    for (; packet !== undefined; { value: packet } = await opened.wait(packets.next())) {
      for (const event of placePacket(container, codec, packet, placed)) group.push(event);
      end = packet.timestamp;
      rate = codec.track.sampleRate;
      if (group.length < packetsPerGroup) continue;
      yield group;
      group = [];
    }
    if (placed.samples === 0) throw damaged(file, 'it holds no frame of sound');
    const isTruncated = (last !== null && end < last.timestamp) || (await opened.breaksOff());
    yield [...group, { type: 'track-end', trimmedSamples: 0, isTruncated }];
  } catch (error) {
    const failure = opened.failure() ?? error;
    if (RecordingError.isInstance(failure) || failure !== error) throw failure;
    const reason = error instanceof Error ? error.message : String(error);
    if (!opened.isSeekable && reason.includes('already-evicted')) {
      throw new RecordingError(
        `The index of this ${container} file comes after its sound, and a stream can be read only once. Pass it as a File, a Blob or a path, or move the index: ffmpeg -i IN -c copy -movflags +faststart out.mp4`,
        'unsupported',
      );
    }
    throw damaged(file, `after ${(placed.samples / rate).toFixed(1)} s, ${reason.replace(/\.$/, '')}`);
  } finally {
    input.dispose();
  }
}

/** Puts the times of a container to the samples of its packets. */
function* placePacket(
  container: string,
  codec: PacketCodec,
  { timestamp: written, data, duration }: EncodedPacket,
  placed: Placed,
): Generator<TrackEvent> {
  // The clock of a broadcast runs before the recording begins.
  if (container === 'MPEG-TS') placed.clockStart ??= written;
  const timestamp = written - (placed.clockStart ?? 0);
  // Packets that an edit list leaves out serve only as a warm-up.
  if (timestamp + duration < -1) return;
  if (!Number.isFinite(timestamp) || timestamp > 1e7)
    throw damaged(`${container} file`, `a packet is at ${timestamp} s`);
  const samples = codec.samplesOf(data);
  if (samples === undefined) throw damaged(`${container} file`, 'a packet of its sound is none of its codec');
  const { track } = codec;
  if (placed.first === undefined) {
    placed.first = timestamp;
    // A container that starts below zero leaves that out; one that starts later has nothing before.
    const early = Math.round(-timestamp * track.sampleRate);
    const skippedSamples = early > 0 ? Math.max(early, track.skippedSamples) : track.skippedSamples + early;
    yield { type: 'track', track: { ...track, skippedSamples } };
  }
  for (let count = missingPackets(container, track, timestamp, placed); count > 0; count--) {
    placed.samples += track.silence?.samples ?? 0;
    if (track.silence !== undefined) yield { type: 'packet', packet: track.silence };
  }
  placed.samples += samples;
  const packet = codec.frame?.(data) ?? data;
  const { pieceBytes = packet.length } = codec;
  for (let start = 0; start < packet.length; start += pieceBytes) {
    const bytes = packet.subarray(start, start + pieceBytes);
    const isWhole = bytes.length === packet.length;
    yield { type: 'packet', packet: { bytes, samples: isWhole ? samples : (codec.samplesOf(bytes) ?? 0) } };
  }
}

/** Number of silent packets in the gap before this time, so that the recording continues at the right one. */
function missingPackets(container: string, track: Track, timestamp: number, placed: Placed): number {
  const { first = timestamp, samples } = placed;
  const gap = timestamp - first - samples / track.sampleRate;
  if (gap <= tolerance) return 0;
  placed.filled += gap;
  if (track.silence !== undefined && placed.filled <= maximumFilled + samples / track.sampleRate)
    return Math.round((gap * track.sampleRate) / track.silence.samples);
  throw new RecordingError(
    `This ${container} file has no sound from ${(first + samples / track.sampleRate).toFixed(1)} s to ${timestamp.toFixed(1)} s, where packets are missing. Convert it: ffmpeg -i IN -vn -af aresample=async=1 -c:a libopus -b:a 32k out.ogg`,
    'unsupported',
  );
}

async function openCodec(container: string, track: InputAudioTrack, first: Uint8Array): Promise<PacketCodec> {
  const codec = await track.getCodec();
  const config = await track.getDecoderConfig().catch(() => null);
  const description = bytesOf(config?.description);
  const [sampleRate, channels] = [config?.sampleRate ?? 0, config?.numberOfChannels ?? 0];
  if (codec === 'opus') return openOpus(description, container);
  if (codec === 'vorbis') {
    const headers = readXiphHeaders(description);
    if (headers !== undefined) return openVorbis(headers.head, headers.setup, container);
  }
  if (codec === 'aac' && description.length > 0) return openAac(description, container);
  // In MPEG-TS each frame has a header of its own.
  if (codec === 'aac') return openAdts(first);
  if (codec === 'mp3') return openMp3(first, container);
  if (codec === 'flac') return openFlac(description);
  const encoding = codec === null ? undefined : littleEndian[codec];
  if (encoding !== undefined) return openPcm(encoding, channels, sampleRate);
  const name = codec ?? String((await track.getInternalCodecId().catch(() => null)) ?? 'an unknown codec');
  throw unsupported(`${name} in ${container}`);
}

/** Samples that a wav file may hold, by the names of mediabunny: format and bits. */
const littleEndian: Readonly<Record<string, PcmEncoding>> = {
  'pcm-u8': [1, 8],
  'pcm-s16': [1, 16],
  'pcm-s24': [1, 24],
  'pcm-s32': [1, 32],
  'pcm-f32': [3, 32],
  'pcm-f64': [3, 64],
  alaw: [6, 8],
  ulaw: [7, 8],
};

function bytesOf(data: AllowSharedBufferSource | undefined): Uint8Array {
  if (data === undefined) return new Uint8Array(0);
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
