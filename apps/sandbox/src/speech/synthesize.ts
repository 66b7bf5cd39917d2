import { ChunkProgress } from './chunk-progress.ts';
import type { EnginePool } from './engine/engine-pool.ts';
import type { Utterance } from './engine/protocol.ts';
import type { SpeechJob, SpeechPiece } from './job.ts';
import type { AudioOutput, OutputSettings } from './output/output.ts';
import { speakChunk } from './speak-chunk.ts';
import { tagStyleOf } from './text/expression-tags.ts';
import { segmentText, type TextChunk } from './text/segment.ts';
import { prepareText } from './text/spoken-text.ts';

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
export async function* synthesize(
  job: SpeechJob,
  parts: SynthesisParts,
  signal: AbortSignal,
): AsyncGenerator<SpeechPiece, void, undefined> {
  signal.throwIfAborted();
  const output = await parts.createOutput(outputSettings(job));
  try {
    let seconds = 0;
    let target = pieceSeconds[job.latency].first;
    let waitAtMost: number | undefined = parts.waitAtMost;
    const speak = (utterance: Utterance) => {
      const options = { signal, waitAtMost };
      waitAtMost = undefined;
      return parts.pool.speak(utterance, options);
    };
    for (const { chunk, sequence, last } of numbered(chunksOf(job))) {
      const progress = new ChunkProgress(
        sequence,
        chunk,
        seconds,
        sequence === 0 ? output.leadingSeconds : 0,
      );
      for await (const sound of speakChunk(chunk, job, speak)) {
        // What is there already leaves before more is made; the newest bytes stay, so that the piece that
        // completes the chunk has audio too.
        if (progress.pendingSeconds >= target && progress.hasPiece) {
          yield progress.piece(job.latency !== 'normal' || progress.clauseEnded);
          target = Math.min(pieceSeconds[job.latency].most, target * pieceGrowth);
        }
        progress.add(sound, await output.write(sound.samples));
      }
      if (last) progress.append(await output.end());
      yield progress.lastPiece();
      seconds += progress.duration;
    }
  } finally {
    output.free();
  }
}

function chunksOf(job: SpeechJob): Iterable<TextChunk> {
  const spoken = prepareText(job.text, {
    speakers: job.speakers.length,
    tags: tagStyleOf(job.model),
    normalize: job.normalize,
  });
  return segmentText(spoken, {
    chunkLength: job.chunk_length,
    minimumChunkLength: job.min_chunk_length,
    eager: job.latency !== 'normal',
  });
}

interface NumberedChunk {
  readonly chunk: TextChunk;
  readonly sequence: number;
  readonly last: boolean;
}

/** Numbers the chunks and knows the last one when it comes. There is always one. */
function* numbered(chunks: Iterable<TextChunk>): Generator<NumberedChunk, void, undefined> {
  let sequence = 0;
  let chunk: TextChunk | undefined;
  for (const next of chunks) {
    if (chunk !== undefined) {
      yield { chunk, sequence, last: false };
      sequence += 1;
    }
    chunk = next;
  }
  // Nothing but spaces and tags: a short silence, since an answer without audio is no answer.
  yield { chunk: chunk ?? { characters: [], content: '', ending: 'sentence' }, sequence, last: true };
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
