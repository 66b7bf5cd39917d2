import type { cutRecording } from '../cut-recording.ts';
import type { CutHooks, CutOptions } from '../cutter.ts';
import { RecordingError, type RecordingErrorKind } from '../errors.ts';
import { isSeekable, type OpenedSource, openSource, type RecordingSource } from '../source.ts';
import type { FromWorker, SourceReference, ToWorker } from './serve-cuts.ts';

/** The caller's end of the line to a worker. */
export interface WorkerPort {
  post(message: ToWorker, transfer?: ArrayBuffer[]): void;
  listen(onMessage: (message: FromWorker) => void, onError: (error: Error) => void): void;
  end(): unknown;
}

interface CutThroughOptions {
  readonly deadline: number;
  /** Prepares what is read, such as by another program. */
  prepare?(whole: RecordingSource, options: CutOptions): RecordingSource | Promise<RecordingSource>;
  /** What the worker can read by itself; undefined for what it asks for, piece by piece. */
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
    const { maximumBytes, maximumSeconds, overlapSeconds, acceptTruncated, shrink, memory } = options;
    const whole = (await prepare?.(given, options)) ?? given;
    const reference = refer(whole);
    const opened = reference === undefined ? openSource(whole) : [];
    const seekable = isSeekable(opened) ? opened : undefined;
    const pieces = inPieces(opened);
    const port = startWorker();
    const inbox = openInbox(port, deadline);
    try {
      port.post({
        start: {
          source: reference ?? { size: seekable?.size },
          options: { maximumBytes, maximumSeconds, overlapSeconds, acceptTruncated, shrink },
          reusesMemory: memory !== undefined,
        },
      });
      for (;;) {
        const message = await inbox.next();
        if (message.type === 'end') return;
        if (message.type === 'error') throw errorOf(message);
        if (message.type === 'part') {
          options.onRead?.(message.bytesRead);
          yield message.part;
          port.post({ memory: memory?.() });
        } else if (message.type === 'read') {
          const piece = (await seekable?.read(message.start, message.end))?.slice() as
            | Uint8Array<ArrayBuffer>
            | undefined;
          port.post({ piece }, piece && [piece.buffer]);
        } else if (message.type === 'want') {
          const { value } = await pieces.next();
          port.post({ piece: value ?? undefined }, value ? [value.buffer] : []);
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

/** What the worker says, in order. It works only while a caller waits here, so only then the deadline runs. */
function openInbox(port: WorkerPort, deadline: number) {
  const messages: FromWorker[] = [];
  let failure: Error | undefined;
  let found = 'recording';
  let notify: (() => void) | undefined;
  port.listen(
    (message) => {
      if (message.type === 'found') found = message.what;
      messages.push(message);
      notify?.();
    },
    (error) => {
      failure ??= error;
      notify?.();
    },
  );
  return {
    async next(): Promise<FromWorker> {
      if (messages.length === 0 && failure === undefined) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(() => {
            failure = tooSlow(found, deadline);
            resolve();
          }, deadline);
          notify = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        notify = undefined;
      }
      const message = messages.shift();
      if (message !== undefined) return message;
      throw failure;
    },
  };
}

function tooSlow(found: string, deadline: number): RecordingError {
  return new RecordingError(
    `Reading this ${found} made no progress within ${deadline} ms. The file may be built to do that; convert it: ffmpeg -i IN -vn -c:a libopus -b:a 32k out.ogg`,
    'too-slow',
  );
}

function errorOf({ message, kind }: { message: string; kind: RecordingErrorKind | undefined }): Error {
  return kind === undefined ? new RangeError(message) : new RecordingError(message, kind);
}
