import {
  type ContainerPacket,
  type ContainerTrack,
  type DemuxedContainer,
  openContainer,
  type SeekableBytes,
} from '@speech-api/audio/containers';
import { damaged, RecordingError, unsupported } from '../errors.ts';
import { openAac, openAdts } from './aac.ts';
import { openFlac } from './flac.ts';
import { openMp3 } from './mp3.ts';
import { openOpus } from './opus.ts';
import { createGaps, type Gaps, type PacketCodec, type TrackEvent } from './track.ts';
import { openVorbis, readXiphHeaders } from './vorbis.ts';
import { openPcm, type PcmEncoding } from './wav.ts';

/** Packets are passed on in groups, so that a long file takes few turns. */
const packetsPerGroup = 64;

/**
 * One track of sound of an mp4, mov, webm, Matroska, flac or AAC (adts) file; pictures are ignored. Parts are files of the codec's
 * own container.
 *
 * @param number - of the track, counted from 1; undefined for the first that can be read, with a note if there are others
 */
export async function* readContainer(
  container: DemuxedContainer,
  file: SeekableBytes,
  number: number | undefined,
): AsyncGenerator<readonly TrackEvent[], void, undefined> {
  const { tracks, close } = await openContainer(container, file);
  try {
    const track = chooseTrack(container, tracks, number);
    if (tracks.length > 1 && number === undefined)
      yield [{ type: 'note', text: otherTracks(tracks, tracks.indexOf(track) + 1) }];
    if (!track.isOneEdit)
      throw unsupported(
        `${withArticle(container)} whose edit list has several edits (what was cut out is still in the file)`,
      );
    let placer: Placer | undefined;
    let group: TrackEvent[] = [];
    for await (const packet of track.packets()) {
      placer ??= new Placer(container, openCodec(container, track, packet.data), track.endSeconds);
      group.push(...placer.place(packet));
      if (group.length < packetsPerGroup) continue;
      yield group;
      group = [];
    }
    if (placer === undefined || placer.samples === 0)
      throw damaged(`${container} file`, 'it holds no frame of sound');
    const isTruncated = (await track.breaksOff()) || placer.isTruncated;
    yield [...group, { type: 'track-end', trimmedSamples: placer.trimmedSamples, isTruncated }];
  } finally {
    close();
  }
}

function chooseTrack(
  container: DemuxedContainer,
  tracks: readonly ContainerTrack[],
  number: number | undefined,
): ContainerTrack {
  const [first] = tracks;
  if (first === undefined)
    throw new RecordingError(`This is ${withArticle(container)} without a track of sound.`, 'too-short');
  if (number === undefined) return tracks.find(({ codec }) => codec in codecs) ?? first;
  const track = tracks[number - 1];
  if (track !== undefined) return track;
  const count = tracks.length === 1 ? 'one track' : `${tracks.length} tracks`;
  throw new RangeError(`track is ${number}, and this file has ${count} of sound`);
}

function otherTracks({ length }: readonly ContainerTrack[], number: number): string {
  const which = number === 1 ? 'the first is read' : `number ${number} is read, the first that can be`;
  return `This recording has ${length} tracks of sound, and ${which}. To read another, set track (--track) to its number.`;
}

const withArticle = (container: DemuxedContainer): string =>
  `${/^(?:mp4|adts)/.test(container) ? 'an' : 'a'} ${container} file`;

/** Places the packets of a container at their times. */
class Placer {
  readonly #container: DemuxedContainer;
  readonly #codec: PacketCodec;
  readonly #end: number;
  readonly #gaps: Gaps;
  #first: number | undefined;
  samples = 0;
  trimmedSamples = 0;

  /** @param end - Seconds at which an edit list ends the sound. */
  constructor(container: DemuxedContainer, codec: PacketCodec, end: number) {
    this.#container = container;
    this.#codec = codec;
    this.#end = end;
    this.#gaps = createGaps(withArticle(container), codec.track);
  }

  get isTruncated(): boolean {
    return this.samples < (this.#codec.totalSamples ?? 0);
  }

  *place({ timestamp, data, duration }: ContainerPacket): Generator<TrackEvent> {
    const { track } = this.#codec;
    // Audio that an edit list leaves out is only used as a warm-up.
    if (timestamp + duration <= -track.warmUpSeconds || timestamp >= this.#end) return;
    const samples = this.#codec.samplesOf(data);
    if (samples === undefined)
      throw damaged(`${this.#container} file`, 'a packet of its sound is none of its codec');
    if (this.#first === undefined) {
      this.#first = timestamp;
      // A container that starts below zero skips that audio; one that starts later has no audio before.
      const early = Math.round(-timestamp * track.sampleRate);
      const skippedSamples = early > 0 ? Math.max(early, track.skippedSamples) : track.skippedSamples + early;
      yield { type: 'track', track: { ...track, skippedSamples } };
    }
    for (const silence of this.#gaps(timestamp - this.#first, this.samples)) {
      this.samples += silence.packet.samples;
      yield silence;
    }
    this.samples += samples;
    const bytes = this.#codec.frame?.(data) ?? data;
    const packets = this.#codec.split?.(bytes) ?? [{ bytes, samples }];
    for (const packet of packets) yield { type: 'packet', packet };
    const secondsBeyondEnd = this.#first + this.samples / track.sampleRate - this.#end;
    const samplesBeyondEnd = Math.round(secondsBeyondEnd * track.sampleRate);
    this.trimmedSamples = Math.max(0, Math.min(samples, samplesBeyondEnd));
  }
}

function openCodec(container: DemuxedContainer, track: ContainerTrack, first: Uint8Array): PacketCodec {
  const codec = codecs[track.codec]?.(track, container, first);
  if (codec === undefined) throw unsupported(`${track.codec} in ${container}`);
  return codec;
}

/** Opens a codec by its first packet; gives undefined where its description is unusable. */
type OpenCodec = (
  track: ContainerTrack,
  container: DemuxedContainer,
  first: Uint8Array,
) => PacketCodec | undefined;

const pcm =
  (...encoding: PcmEncoding): OpenCodec =>
  ({ channels, sampleRate }) =>
    openPcm(encoding, channels, sampleRate);

/** The codecs that are read, by mediabunny's names. */
const codecs: Readonly<Record<string, OpenCodec>> = {
  opus: ({ description }, container) => openOpus(description, container),
  vorbis({ description }, container) {
    const headers = readXiphHeaders(description);
    return headers && openVorbis(headers.head, headers.setup, container);
  },
  // In adts each frame has its own header.
  aac: ({ description }, container, first) =>
    description.length > 0 ? openAac(description, container) : openAdts(first),
  mp3: (_track, container, first) => openMp3(first, container),
  flac: ({ description }) => openFlac(description),
  'pcm-u8': pcm(1, 8),
  'pcm-s16': pcm(1, 16),
  'pcm-s24': pcm(1, 24),
  'pcm-s32': pcm(1, 32),
  'pcm-f32': pcm(3, 32),
  'pcm-f64': pcm(3, 64),
  alaw: pcm(6, 8),
  ulaw: pcm(7, 8),
};
