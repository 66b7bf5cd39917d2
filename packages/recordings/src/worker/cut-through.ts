import type { cutRecording } from '../cut-recording.ts';
import { type CutHooks, type CutOptions, readCutOptions } from '../cutter.ts';
import { RecordingError } from '../errors.ts';
import { isSeekable, type OpenedSource, openSource, orAborted, type RecordingSource } from '../source.ts';
import type { FromWorker, Port, SourceReference, ToWorker } from './serve-cuts.ts';

/** The caller's end of the line to a worker. A worker that fails says so in a message. */
export interface WorkerPort extends Port<ToWorker, FromWorker> {
  end(): unknown;
}

interface CutThroughOptions {
  readonly deadline: number;
  /** Prepares what is read, such as by another program. */
  prepare?(
    whole: RecordingSource,
    options: CutOptions & CutHooks,
  ): RecordingSource | Promise<RecordingSource>;
  /** Reference to a source that the worker can read by itself; undefined if it must ask for each piece. */
  refer(whole: RecordingSource): SourceReference | undefined;
}

/** No piece is larger, so that the deadline means the same for each. */
const pieceBytes = 1024 * 1024;

/** `cutRecording` by a worker, which is ended when it makes no progress within the deadline. */
export function cutThrough(
  startWorker: () => WorkerPort,
  { deadline, prepare, refer }: CutThroughOptions,
): typeof cutRecording {
  return async function* cut(given, options: CutOptions & CutHooks = {}) {
    readCutOptions(options);
    const { maximumBytes, maximumSeconds, overlapSeconds, acceptTruncated, shrink, memory, signal } = options;
    const whole = (await prepare?.(given, options)) ?? given;
    const reference = refer(whole);
    const opened = openSource(reference === undefined ? whole : [], signal);
    const seekable = isSeekable(opened) ? opened : undefined;
    const pieces = inPieces(opened);
    const port = startWorker();
    const start = (controller: ReadableStreamDefaultController<FromWorker>): void =>
      port.listen((message) => controller.enqueue(message));
    const inbox = new ReadableStream<FromWorker>({ start }).getReader();
    let found = 'recording';
    try {
      port.post({
        start: {
          source: reference ?? { size: seekable?.size },
          options: { maximumBytes, maximumSeconds, overlapSeconds, acceptTruncated, shrink },
          reusesMemory: memory !== undefined,
        },
      });
      for (;;) {
        // It works only while a caller waits here, so only then the deadline runs.
        const message = await within(deadline, orAborted(inbox.read(), signal), () =>
          tooSlow(found, deadline),
        );
        if (message.type === 'end') return;
        if (message.type === 'error') {
          const { message: words, kind } = message;
          throw kind === undefined ? new Error(words) : new RecordingError(words, kind);
        }
        if (message.type === 'progress') {
          found = message.found ?? found;
          options.onRead?.(message.bytes);
        } else if (message.type === 'part') {
          yield message.part;
          const spare = memory?.();
          port.post({ memory: spare }, spare ? [spare.buffer] : []);
        } else {
          const piece = message.range
            ? new Uint8Array((await seekable?.read(...message.range)) ?? [])
            : ((await pieces.next()).value ?? undefined);
          port.post({ piece }, piece ? [piece.buffer] : []);
        }
      }
    } finally {
      await port.end();
      await pieces.return();
    }
  };
}

async function* inPieces(pieces: OpenedSource): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  for await (const piece of pieces) {
    // A copy, whose memory goes to the worker.
    for (let start = 0; start < piece.length; start += pieceBytes)
      yield new Uint8Array(piece.subarray(start, start + pieceBytes));
  }
}

async function within(
  milliseconds: number,
  reading: Promise<ReadableStreamReadResult<FromWorker>>,
  createError: () => Error,
): Promise<FromWorker> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(createError()), milliseconds);
  });
  try {
    const { value } = await Promise.race([reading, late]);
    return value as FromWorker;
  } finally {
    clearTimeout(timer);
  }
}

function tooSlow(found: string, deadline: number): RecordingError {
  return new RecordingError(
    `Reading this ${found} made no progress within ${deadline} ms. The file may be built to do that; convert it: ffmpeg -i IN -vn -c:a libopus -b:a 32k out.ogg`,
    'too-slow',
  );
}
