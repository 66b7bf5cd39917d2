import type { SpeechJob, SpeechPiece, SpeechService, SpeechSession } from '../speech/job.ts';
import { Bell } from '../speech/synthesize.ts';

export interface FakeSpeechOptions {
  /** Number of pieces per job. @defaultValue 2 */
  readonly pieces?: number;
  /** Bytes of one piece. @defaultValue 4 */
  readonly pieceBytes?: number;
  /** The text chunk of the piece of this number. @defaultValue the whole text is one chunk */
  readonly chunkOf?: (piece: number) => Pick<SpeechPiece, 'chunk_seq' | 'content'>;
  /** Fails before the piece of this number. */
  readonly failsAt?: number;
  /** Ends quietly instead of throwing when it is stopped, as a maker may. */
  readonly stopsQuietly?: boolean;
  /** Asked before each piece; the piece waits for it. */
  readonly before?: (piece: number, signal: AbortSignal) => Promise<void> | void;
}

/** A speech service that makes no sound, and tells what was asked of it. */
export interface FakeSpeech extends SpeechService {
  readonly jobs: SpeechJob[];
  /** Number of pieces made over all jobs. */
  made: number;
  /** Number of jobs that ended, in any way. */
  ended: number;
  /** Number of jobs that were aborted. */
  aborted: number;
  closed: boolean;
}

/** Makes a fake. Its bytes count the pieces, so that a test sees order and completeness. */
export function createFakeSpeech(options: FakeSpeechOptions = {}): FakeSpeech {
  const { pieces = 2, pieceBytes = 4, failsAt, stopsQuietly, before, chunkOf } = options;
  const fake: FakeSpeech = {
    jobs: [],
    made: 0,
    ended: 0,
    aborted: 0,
    closed: false,
    ready: async () => {},
    close: async () => {
      fake.closed = true;
    },
    open: (job, { signal }) => openFake(job, signal, (text) => say({ ...job, text }, signal)),
  };
  async function* say(job: SpeechJob, signal: AbortSignal): AsyncGenerator<SpeechPiece> {
    fake.jobs.push(job);
    signal.addEventListener('abort', () => {
      fake.aborted += 1;
    });
    try {
      for (let piece = 0; piece < pieces; piece += 1) {
        await before?.(piece, signal);
        if (stopsQuietly && signal.aborted) return;
        signal.throwIfAborted();
        if (piece === failsAt) throw new Error('the fake engine fails as told');
        fake.made += 1;
        yield { ...pieceOf(job, piece, pieceBytes), ...chunkOf?.(piece) };
      }
    } finally {
      fake.ended += 1;
    }
  }
  return fake;
}

/** Speaks all that was written at each flush, and the rest at the end. */
function openFake(
  job: SpeechJob,
  signal: AbortSignal,
  say: (text: string) => AsyncIterable<SpeechPiece>,
): SpeechSession {
  const changed = new Bell();
  const texts: string[] = [];
  let text = job.text;
  let ended = false;
  const speakText = (): void => {
    if (text !== '') texts.push(text);
    text = '';
    changed.ring();
  };
  return {
    write(more) {
      text += more;
    },
    flush: speakText,
    end() {
      ended = true;
      speakText();
    },
    pieces: (async function* () {
      for (;;) {
        const next = texts.shift();
        if (next !== undefined) yield* say(next);
        else if (ended) return;
        else await changed.rung(signal);
      }
    })(),
  };
}

function pieceOf(job: SpeechJob, piece: number, bytes: number): SpeechPiece {
  return {
    audio: new Uint8Array(bytes).fill(piece),
    chunk_seq: 0,
    content: job.text,
    alignment: piece === 0 ? null : { audio_duration: 1, segments: [{ text: job.text, start: 0, end: 1 }] },
    chunk_audio_offset_sec: 0,
  };
}
