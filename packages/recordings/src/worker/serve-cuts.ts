import { cutRecording } from '../cut-recording.ts';
import type { CutHooks, CutOptions, RecordingPart } from '../cutter.ts';
import { RecordingError, type RecordingErrorKind } from '../errors.ts';
import type { RecordingSource } from '../source.ts';

/** The source that the worker reads: by itself, or by asking for it, at any place if the size is known. */
export type SourceReference =
  | { readonly path: string }
  | { readonly blob: Blob }
  | { readonly size: number | undefined };

export interface CutStart {
  readonly source: SourceReference;
  readonly options: Pick<
    CutOptions,
    'maximumBytes' | 'maximumSeconds' | 'overlapSeconds' | 'acceptTruncated' | 'shrink'
  >;
  /** True if the memory of parts comes back for reuse. */
  readonly reusesMemory: boolean;
}

export interface ToWorker {
  readonly start?: CutStart;
  readonly piece?: Uint8Array | undefined;
  /** Memory for the next part, which goes back and forth. */
  readonly memory?: Uint8Array<ArrayBuffer> | undefined;
}

export type FromWorker =
  /** It wants these bytes, or the next ones of a stream. */
  | { readonly type: 'read'; readonly range?: readonly [start: number, end: number] }
  | { readonly type: 'progress'; readonly bytes: number; readonly found?: string }
  | { readonly type: 'part'; readonly part: RecordingPart }
  | { readonly type: 'end' }
  | { readonly type: 'error'; readonly message: string; readonly kind?: RecordingErrorKind | undefined };

/** One end of the line. */
export interface Port<Out, In> {
  post(message: Out, transfer?: ArrayBuffer[]): void;
  listen(onMessage: (message: In) => void): void;
}

/** Features that differ from one runtime to another. */
export interface Surroundings {
  readonly decode?: CutOptions['decode'];
  /** Opens what the worker reads by itself. */
  openPath?(path: string): RecordingSource;
}

/** Bytes that are read before this is reported. */
const progressBytes = 1024 * 1024;

/** Cuts one recording for `cutThrough`, which ends this thread from outside when that takes too long. */
export async function serveCuts(
  port: Port<FromWorker, ToWorker>,
  { decode, openPath }: Surroundings,
): Promise<void> {
  let answer: ((message: ToWorker) => void) | undefined;
  const nextAnswer = (): Promise<ToWorker> =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const first = nextAnswer();
  port.listen((message) => answer?.(message));
  const { start } = await first;
  if (start === undefined) throw new Error('This file is started as a worker by cutInWorker.');
  const { source, options, reusesMemory } = start;

  let before: Promise<unknown> = Promise.resolve();
  /** One question at a time: places of a file are asked for side by side. */
  function ask(message: FromWorker, transfer?: ArrayBuffer[]): Promise<ToWorker> {
    const asked = before.then(() => {
      const answered = nextAnswer();
      port.post(message, transfer);
      return answered;
    });
    before = asked;
    return asked;
  }

  async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const { piece } = await ask({ type: 'read' });
      if (piece === undefined) return;
      yield piece;
    }
  }

  async function read(begin: number, end: number): Promise<Uint8Array> {
    const { piece = new Uint8Array(0) } = await ask({ type: 'read', range: [begin, end] });
    return piece;
  }

  function open(): RecordingSource {
    if ('blob' in source) return source.blob;
    if ('path' in source) {
      if (openPath === undefined) throw new TypeError('paths are not read here');
      return openPath(source.path);
    }
    const { size } = source;
    return size === undefined ? pieces() : { size, read, [Symbol.asyncIterator]: pieces };
  }

  let spare: Uint8Array<ArrayBuffer> | undefined;
  const memory = (): Uint8Array<ArrayBuffer> | undefined => {
    const given = spare;
    spare = undefined;
    return given;
  };
  let bytesRead = 0;
  let reported = 0;
  const hooks: CutHooks & Pick<CutOptions, 'decode'> = {
    decode,
    onFound: (found) => port.post({ type: 'progress', bytes: bytesRead, found }),
    onRead: (bytes) => {
      bytesRead = bytes;
      if (bytes < reported + progressBytes) return;
      reported = bytes;
      port.post({ type: 'progress', bytes });
    },
    ...(reusesMemory ? { memory } : {}),
  };
  try {
    for await (const part of cutRecording(open(), { ...options, ...hooks })) {
      port.post({ type: 'progress', bytes: bytesRead });
      // Waits until the part is wanted, so that one is held and no more.
      ({ memory: spare } = await ask({ type: 'part', part }, [part.bytes.buffer]));
    }
    port.post({ type: 'end' });
  } catch (error) {
    const kind = RecordingError.isInstance(error) ? error.kind : undefined;
    port.post({ type: 'error', message: error instanceof Error ? error.message : String(error), kind });
  }
}
