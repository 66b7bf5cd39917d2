import { defaultSampleRates } from '@speech-api/types';
import {
  defaultJob,
  type SpeechJob,
  type SpeechPiece,
  type SpeechService,
  type SynthesizeOptions,
  type TimedWord,
} from '../job.ts';
import { profileForVoice } from '../prosody.ts';

export type JobChanges = Partial<Omit<SpeechJob, 'prosody'>> & { prosody?: Partial<SpeechJob['prosody']> };

/** A job with the defaults of the spec, in pcm. */
export function jobFor(text: string, changes: JobChanges = {}): SpeechJob {
  const format = changes.format ?? 'pcm';
  const job = defaultJob(text, profileForVoice('sandbox-blake'));
  return {
    ...job,
    sample_rate: defaultSampleRates[format],
    ...changes,
    format,
    prosody: { ...job.prosody, ...changes.prosody },
  };
}

export interface Spoken {
  readonly pieces: readonly SpeechPiece[];
  readonly audio: Uint8Array;
  /** The last snapshot of every chunk, in order. */
  readonly chunks: readonly SpeechPiece[];
  /** Segments of all chunks on the timeline of the whole audio. */
  readonly words: readonly TimedWord[];
  /** Seconds: where the timeline ends. */
  readonly end: number;
}

export function say(
  service: SpeechService,
  job: SpeechJob,
  options: Partial<SynthesizeOptions> = {},
): AsyncIterable<SpeechPiece> {
  const session = service.open(job, { signal: new AbortController().signal, ...options });
  session.end();
  return session.pieces;
}

export async function speak(
  service: SpeechService,
  job: SpeechJob,
  options: Partial<SynthesizeOptions> = {},
): Promise<Spoken> {
  const pieces: SpeechPiece[] = [];
  for await (const piece of say(service, job, options)) pieces.push(piece);
  const chunks = [...new Map(pieces.map((piece) => [piece.chunk_seq, piece])).values()];
  const words = chunks.flatMap(({ alignment, chunk_audio_offset_sec: offset }) =>
    (alignment?.segments ?? []).map(({ text, start, end }) => ({
      text,
      start: start + offset,
      end: end + offset,
    })),
  );
  const last = chunks.at(-1);
  return {
    pieces,
    audio: Buffer.concat(pieces.map(({ audio }) => audio)),
    chunks,
    words,
    end: (last?.chunk_audio_offset_sec ?? 0) + (last?.alignment?.audio_duration ?? 0),
  };
}

export function samplesOf(pcm: Uint8Array): Int16Array {
  return new Int16Array(new Uint8Array(pcm).buffer);
}

/** Root mean square of the samples between two times, on the scale of 16 bits. */
export function level(samples: Int16Array, sampleRate: number, start: number, end: number): number {
  const part = samples.subarray(Math.round(start * sampleRate), Math.round(end * sampleRate));
  return Math.sqrt(part.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, part.length));
}
