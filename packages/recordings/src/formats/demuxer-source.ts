import type { Source } from 'mediabunny';
import { viewOf } from '../bytes.ts';
import { damaged } from '../errors.ts';
import type { SeekableSource } from '../source.ts';

/** Milliseconds. mediabunny may wait forever for what is behind the end of a stream. */
const patience = 5000;
/** Bytes that are kept of a stream, whose index may refer to what has passed. */
const cacheBytes = 32 * 1024 * 1024;
/** A file that is read more often than this was made to be. */
const maximumReadings = 8;
const slackBytes = 64 * 1024 * 1024;
/** Steps that a demuxer may take, besides one for each byte. */
const slackSteps = 50_000;

/** A recording as mediabunny reads it. */
export interface DemuxerSource {
  readonly source: Source;
  readonly isSeekable: boolean;
  /** The error from reading the bytes, for which the container is not to blame. */
  failure(): unknown;
  /** True if the container says that it is longer. */
  breaksOff(): Promise<boolean>;
  /** Waits for mediabunny, but not forever. */
  wait<Value>(work: Promise<Value>): Promise<Value>;
}

/** Opens a recording for mediabunny, within limits: whatever the file says, reading it ends. */
export async function openDemuxerSource(
  container: string,
  source: Omit<SeekableSource, typeof Symbol.asyncIterator> | ReadableStream<Uint8Array>,
): Promise<DemuxerSource> {
  const { CustomSource, ReadableStreamSource } = await import('mediabunny');
  let failure: unknown;
  // Errors that nobody waits for would end the process; they come again with the next packet.
  const handleUnhandledError = (error: unknown): void => {
    failure ??= error;
  };
  const refuse = (): never => {
    failure = damaged(`${container} file`, 'it is built so that it is read again and again');
    throw failure;
  };
  if (!('read' in source)) {
    let isEnded = false;
    let passed = 0;
    const watched = source.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          passed += piece.length;
          controller.enqueue(piece);
        },
        flush: () => {
          isEnded = true;
        },
      }),
    );
    return {
      source: counted(
        new ReadableStreamSource(watched, { maxCacheSize: cacheBytes, handleUnhandledError }),
        () => passed,
        refuse,
      ),
      wait: (work) => withPatience(work, () => isEnded, container),
      isSeekable: false,
      failure: () => failure,
      breaksOff: async () => false,
    };
  }
  let allowed = maximumReadings * source.size + slackBytes;
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    allowed -= end - start;
    if (allowed < 0) refuse();
    try {
      return await source.read(start, end);
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  return {
    source: counted(
      new CustomSource({
        getSize: () => source.size,
        read,
        prefetchProfile: 'fileSystem',
        handleUnhandledError,
      }),
      () => source.size,
      refuse,
    ),
    wait: (work) => work,
    isSeekable: true,
    failure: () => failure,
    breaksOff: async () => source.size < segmentEnd(await source.read(0, Math.min(source.size, 4096))),
  };
}

/**
 * Counts the steps of a demuxer. mediabunny 1.61 looks for the next element of a damaged webm file at the same place for ever,
 * in memory that it holds already and without a turn for anything else: its source alone is asked each time.
 */
function counted<Counted extends Source>(source: Counted, bytes: () => number, refuse: () => never): Counted {
  const inner = source as unknown as { _read(...given: readonly unknown[]): unknown };
  const read = inner._read.bind(source);
  let steps = 0;
  inner._read = (...given) => {
    steps += 1;
    if (steps > slackSteps + bytes()) refuse();
    return read(...given);
  };
  return source;
}

async function withPatience<Value>(
  work: Promise<Value>,
  isEnded: () => boolean,
  container: string,
): Promise<Value> {
  let stop = (): void => {};
  const impatience = new Promise<never>((_resolve, reject) => {
    let seen = false;
    const timer = setInterval(() => {
      if (seen) reject(damaged(`${container} file`, 'it refers to what is behind its end'));
      seen = isEnded();
    }, patience);
    stop = () => clearInterval(timer);
  });
  try {
    return await Promise.race([work, impatience]);
  } finally {
    stop();
  }
}

/** Position where the segment of a Matroska file ends, if the file says so; 0 for other files. */
function segmentEnd(head: Uint8Array): number {
  const sizeAt = (position: number): { size: number; next: number } => {
    const width = Math.clz32(head[position] ?? 0) - 23;
    let size = (head[position] ?? 0) & (0xff >> width);
    let isUnknown = size === 0xff >> width;
    for (let index = 1; index < width; index++) {
      const byte = head[position + index] ?? 0;
      size = size * 256 + byte;
      isUnknown &&= byte === 0xff;
    }
    return { size: isUnknown || width > 8 ? Number.NaN : size, next: position + width };
  };
  if (head.length < 32 || viewOf(head).getUint32(0) !== 0x1a45_dfa3) return 0;
  const ebml = sizeAt(4);
  const segment = ebml.next + ebml.size;
  if (!(segment + 12 < head.length) || viewOf(head).getUint32(segment) !== 0x1853_8067) return 0;
  const { size, next } = sizeAt(segment + 4);
  return Number.isNaN(size) ? 0 : next + size;
}
