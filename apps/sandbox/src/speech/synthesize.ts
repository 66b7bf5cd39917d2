import { Bell } from './bell.ts';
import { ChunkProgress } from './chunk-progress.ts';
import type { EnginePool } from './engine/engine-pool.ts';
import type { EngineOutput, Utterance } from './engine/protocol.ts';
import type { SpeechJob, SpeechPiece, SpeechSession, SynthesizeOptions } from './job.ts';
import type { AudioOutput, OutputSettings } from './output/output.ts';
import { type ChunkSound, speakChunk } from './speak-chunk.ts';
import { spokenChunk } from './spoken-chunk.ts';
import { tagStyleOf } from './text/expression-tags.ts';
import type { TextChunk } from './text/segment.ts';
import { TextFeed } from './text/text-feed.ts';

export interface SynthesisParts {
  readonly pool: Pick<EnginePool, 'speak'>;
  /** Milliseconds until the first utterance of a job has to have an engine; those that have begun go on. */
  readonly waitAtMost: number;
  createOutput(settings: OutputSettings): Promise<AudioOutput>;
}

/** Seconds of audio in a piece: the first one leaves as soon as there is something, later ones are longer. */
const pieceSeconds: Record<SpeechJob['latency'], { readonly first: number; readonly most: number }> = {
  low: { first: 0.08, most: 0.1 },
  balanced: { first: 0.08, most: 0.25 },
  normal: { first: 0.08, most: 0.5 },
};
const pieceGrowth = 2;

/** Speaks a job, piece by piece, as fast as it is listened to. */
export function synthesize(
  job: SpeechJob,
  parts: SynthesisParts,
  options: SynthesizeOptions,
): AsyncIterable<SpeechPiece> {
  const session = openSession(job, parts, options);
  session.end();
  return session.pieces;
}

/** Speaks a text that is still being written. */
export function openSession(
  job: SpeechJob,
  parts: SynthesisParts,
  options: SynthesizeOptions,
): SpeechSession {
  const feed = new TextFeed({
    speakers: job.speakers.length,
    tags: tagStyleOf(job.model),
    normalize: job.normalize,
    chunkLength: job.chunk_length,
    minimumChunkLength: job.min_chunk_length,
    eager: job.latency !== 'normal',
  });
  const written = new Bell();
  feed.write(job.text);
  return {
    write(text) {
      feed.write(text);
      written.ring();
    },
    flush() {
      feed.flush();
      written.ring();
    },
    end() {
      feed.end();
      written.ring();
    },
    pieces: speakFeed(job, feed, written, parts, options),
  };
}

async function* speakFeed(
  job: SpeechJob,
  feed: TextFeed,
  written: Bell,
  parts: SynthesisParts,
  { signal, onSpoken }: SynthesizeOptions,
): AsyncGenerator<SpeechPiece, void, undefined> {
  let chunk = await nextChunk(feed, written, signal);
  if (chunk === undefined) return;
  const output = await parts.createOutput(outputSettings(job));
  const speak = utterances(parts, signal);
  try {
    let seconds = 0;
    let target = pieceSeconds[job.latency].first;
    for (let sequence = 0; chunk !== undefined; sequence += 1) {
      const progress: ChunkProgress = new ChunkProgress(
        sequence,
        chunk,
        seconds,
        sequence === 0 ? output.leadingSeconds : 0,
      );
      const sounds: ChunkSound[] = [];
      for await (const sound of speakChunk(chunk, job, speak)) {
        // What is there already leaves before more is made; the newest bytes stay, so that the piece that
        // completes the chunk has audio too.
        if (progress.pendingSeconds >= target && progress.hasPiece) {
          yield progress.piece(job.latency !== 'normal' || progress.clauseEnded);
          target = Math.min(pieceSeconds[job.latency].most, target * pieceGrowth);
        }
        progress.add(sound, await output.write(sound.samples));
        if (onSpoken) sounds.push(sound);
      }
      onSpoken?.(spokenChunk(chunk, sounds));
      chunk = feed.next();
      const known = chunk !== undefined || feed.finished;
      if (!known) {
        // Nobody knows yet whether this was the last chunk: what there is leaves, and the end of the stream later.
        yield progress.lastPiece();
        chunk = await nextChunk(feed, written, signal);
      }
      if (chunk === undefined) progress.append(await output.end());
      if (known || chunk === undefined) yield progress.lastPiece();
      seconds += progress.duration;
    }
  } finally {
    output.free();
  }
}

/** Waits for the next chunk, or for the end of the text. */
async function nextChunk(feed: TextFeed, written: Bell, signal: AbortSignal): Promise<TextChunk | undefined> {
  for (;;) {
    signal.throwIfAborted();
    const chunk = feed.next();
    if (chunk !== undefined || feed.finished) return chunk;
    await written.rung(signal);
  }
}

/** Whoever has begun to speak is not sent away any more. */
function utterances(
  { pool, waitAtMost }: SynthesisParts,
  signal: AbortSignal,
): (utterance: Utterance) => AsyncIterable<EngineOutput> {
  let begun = false;
  return (utterance) => {
    const options = begun ? { signal } : { signal, waitAtMost };
    begun = true;
    return pool.speak(utterance, options);
  };
}

function outputSettings(job: SpeechJob): OutputSettings {
  return {
    format: job.format,
    sampleRate: job.sample_rate,
    mp3Bitrate: job.mp3_bitrate,
    opusBitrate: job.opus_bitrate,
    volume: job.prosody.volume,
    normalizeLoudness: job.prosody.normalize_loudness && job.model !== 's1',
  };
}
