import type { EncodedPacket, InputAudioTrack } from 'mediabunny';
import { damaged, RecordingError, unsupported } from '../errors.ts';
import type { SeekableSource } from '../source.ts';
import { createAdtsReader, openAac } from './aac.ts';
import { openDemuxerSource } from './demuxer-source.ts';
import { openFlac } from './flac.ts';
import { createMp3Reader } from './mp3.ts';
import { openOpus } from './opus.ts';
import type { Packet, PacketCodec, Track, TrackEvent, TrackReader } from './track.ts';
import { openVorbis, readXiphHeaders } from './vorbis.ts';
import { createPcmReader, type PcmEncoding } from './wav.ts';

/** Packets are handed on in groups, so that a long file takes few turns. */
const packetsPerGroup = 64;
/** Seconds. A pause in the packets that is longer than this is filled, or is an error. */
const tolerance = 0.03;
/** Seconds that may be filled in all, beside as many as there are of sound: a container may claim any time. */
const maximumFilled = 60;

/**
 * The first track of sound of an mp4, mov, webm, Matroska or MPEG-TS file; films are left behind. mediabunny reads the container, and
 * is loaded when there is one. Parts are files of the codec's own container.
 */
export async function* readDemuxed(
  container: string,
  source: SeekableSource | ReadableStream<Uint8Array>,
): AsyncGenerator<readonly TrackEvent[], void, undefined> {
  const { Input, MP4, QTFF, MATROSKA, WEBM, MPEG_TS, EncodedPacketSink } = await import('mediabunny');
  const file = `${container} file`;
  const opened = await openDemuxerSource(container, source);
  const input = new Input({ source: opened.source, formats: [MP4, QTFF, WEBM, MATROSKA, MPEG_TS] });
  let seconds = 0;
  try {
    const track = await opened.wait(input.getPrimaryAudioTrack());
    if (track === null) throw damaged(file, 'it holds no track of sound, or breaks off before its index');
    const reader = await opened.wait(openCodec(container, track));
    const sink = new EncodedPacketSink(track);
    const last = opened.isSeekable
      ? await sink.getPacket(Number.POSITIVE_INFINITY, { metadataOnly: true })
      : null;
    const placed = createPlacedTrack(container, reader);
    let group: TrackEvent[] = [];
    let end = Number.NEGATIVE_INFINITY;
    const packets = sink.packets();
    for (;;) {
      const { value: packet, done } = await opened.wait(packets.next());
      if (done) break;
      group.push(...placed.add(packet));
      end = packet.timestamp;
      seconds = placed.seconds();
      if (group.length < packetsPerGroup) continue;
      yield group;
      group = [];
    }
    if (placed.seconds() === 0) throw damaged(file, 'it holds no frame of sound');
    const isTruncated = (last !== null && end < last.timestamp) || (await opened.breaksOff());
    yield [...group, ...placed.end(isTruncated)];
  } catch (error) {
    const failure = opened.failure() ?? error;
    if (RecordingError.isInstance(failure) || failure !== error) throw failure;
    const reason = error instanceof Error ? error.message : String(error);
    if (!opened.isSeekable && reason.includes('already-evicted')) {
      throw new RecordingError(
        `The index of this ${container} file is behind its sound, and a stream can be read once. Pass it as a File, a Blob or a path, or move the index: ffmpeg -i IN -c copy -movflags +faststart out.mp4`,
        'unsupported',
      );
    }
    throw damaged(file, `after ${seconds.toFixed(1)} s, ${reason.replace(/\.$/, '')}`);
  } finally {
    input.dispose();
  }
}

/** Puts the times of a container to the samples of its packets. */
function createPlacedTrack(container: string, { reader, isExact }: Elementary) {
  let first: number | undefined;
  let clockStart: number | undefined;
  let track: Track | undefined;
  let samples = 0;
  let filled = 0;

  function place(event: TrackEvent): TrackEvent {
    if (event.type === 'packet') samples += event.packet.samples;
    if (event.type !== 'track') return event;
    // A container that starts below zero leaves that out; one that starts later has nothing before.
    const early = Math.round(-(first ?? 0) * event.track.sampleRate);
    const skippedSamples =
      early > 0 ? Math.max(early, event.track.skippedSamples) : event.track.skippedSamples + early;
    track = { ...event.track, skippedSamples };
    return { type: 'track', track };
  }

  /** Fills the gap where packets are missing, so that the recording continues at the right time. */
  function* fill(timestamp: number): Generator<TrackEvent> {
    if (track === undefined || first === undefined) return;
    // Other readers hold back a frame.
    const gap = timestamp - first - samples / track.sampleRate - (isExact ? tolerance : 0.25);
    if (gap <= 0) return;
    filled += gap;
    const { silence } = track;
    if (silence === undefined || filled > maximumFilled + samples / track.sampleRate) {
      throw new RecordingError(
        `This ${container} file has no sound from ${(first + samples / track.sampleRate).toFixed(1)} s to ${timestamp.toFixed(1)} s, where packets are missing. Convert it: ffmpeg -i IN -vn -af aresample=async=1 -c:a libopus -b:a 32k out.ogg`,
        'unsupported',
      );
    }
    const missing = Math.round((timestamp - first) * track.sampleRate) - samples;
    for (let count = Math.round(missing / silence.samples); count > 0; count--)
      yield place({ type: 'packet', packet: silence });
  }

  return {
    seconds: () => samples / (track?.sampleRate ?? 1),
    add({ timestamp: written, data, duration }: EncodedPacket): TrackEvent[] {
      // The clock of a broadcast runs before the recording begins.
      if (container === 'MPEG-TS') clockStart ??= written;
      const timestamp = written - (clockStart ?? 0);
      // Packets that an edit list leaves out serve only as a warm-up.
      if (timestamp + duration < -1) return [];
      if (!Number.isFinite(timestamp) || timestamp > 1e7)
        throw damaged(`${container} file`, `a packet is at ${timestamp} s`);
      first ??= timestamp;
      return [...fill(timestamp), ...reader.push(data).map(place)];
    },
    end(isTruncated: boolean): TrackEvent[] {
      return reader
        .end()
        .map(place)
        .map((event) => (event.type === 'track-end' ? { ...event, isTruncated: isTruncated } : event));
    },
  };
}

interface Elementary {
  /** Is given whole packets of the codec. */
  readonly reader: TrackReader;
  /** True if the reader gives each packet at once. */
  readonly isExact: boolean;
}

async function openCodec(container: string, track: InputAudioTrack): Promise<Elementary> {
  const codec = await track.getCodec();
  const config = await track.getDecoderConfig().catch(() => null);
  const description = bytesOf(config?.description);
  const [sampleRate, channels] = [config?.sampleRate ?? 0, config?.numberOfChannels ?? 0];
  const exact = (opened: PacketCodec): Elementary => ({
    reader: packetReader(container, opened),
    isExact: true,
  });
  if (codec === 'opus') return exact(openOpus(description, container));
  if (codec === 'vorbis') {
    const headers = readXiphHeaders(description);
    if (headers !== undefined) return exact(openVorbis(headers.head, headers.setup, container));
  }
  if (codec === 'aac' && description.length > 0) return exact(openAac(description, container));
  // In MPEG-TS each frame has a header of its own.
  if (codec === 'aac') return { reader: createAdtsReader(), isExact: false };
  if (codec === 'mp3') return { reader: createMp3Reader(), isExact: false };
  if (codec === 'flac') return exact(openFlac(description));
  const encoding = codec === null ? undefined : littleEndian[codec];
  if (encoding !== undefined)
    return { reader: createPcmReader(encoding, channels, sampleRate), isExact: true };
  const name = codec ?? String((await track.getInternalCodecId().catch(() => null)) ?? 'an unknown codec');
  throw unsupported(`${name} in ${container}`);
}

function packetReader(container: string, codec: PacketCodec): TrackReader {
  let isFirst = true;
  return {
    push(bytes) {
      const samples = codec.samplesOf(bytes);
      if (samples === undefined)
        throw damaged(`${container} file`, 'a packet of its sound is none of its codec');
      const packet: Packet = { bytes: codec.frame?.(bytes) ?? bytes, samples };
      const events: TrackEvent[] = isFirst ? [{ type: 'track', track: codec.track }] : [];
      isFirst = false;
      return [...events, { type: 'packet', packet }];
    },
    end: () => [{ type: 'track-end', trimmedSamples: 0, isTruncated: false }],
  };
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
