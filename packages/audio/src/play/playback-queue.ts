import type { Samples } from './decoders.ts';

/** Puts samples on a context one after the other without a gap, and knows what is heard. */
export interface PlaybackQueue {
  add(samples: Samples): void;
  /** Nothing follows: what is held back is played, and `onFinished` called when the last of it was. */
  finish(): void;
  /** Silence at once. */
  clear(): void;
  /** Seconds of audio heard. */
  readonly position: number;
  /** Seconds of the audio at which what was added ends. */
  readonly total: number;
  /** Sound is due now (whether or not the context is suspended). */
  readonly isPlaying: boolean;
}

export interface PlaybackQueueOptions {
  readonly context: AudioContext;
  readonly destination: AudioNode;
  /** Seconds to gather before sound begins. */
  readonly startSeconds: number;
  /** Position of the first samples in the audio, in seconds. @defaultValue 0 */
  readonly origin?: number;
  /** Called when a piece was played or sound began or ran dry. */
  readonly onProgress: () => void;
  readonly onFinished: () => void;
}

/** A stretch of sound without a gap. */
interface Run {
  /** Time of the context at which it begins. */
  readonly start: number;
  /** Position in the audio at which it begins. */
  readonly position: number;
  readonly sampleRate: number;
  frames: number;
}

// Time for the page to hand over a piece before its first sample is due, beside what the browser draws at once.
const LEAD_SECONDS = 0.01;
// What a browser that does not tell may draw at once.
const DRAWN_AT_ONCE_SECONDS = 0.04;
// Codecs give 20 ms at a time; fewer, longer pieces cost less. Gathered only while so much is still to be played.
const GATHER_WHILE_SECONDS = 0.2;
const GATHER_MILLISECONDS = 50;
// A piece tells of its end only as a whole, and a writer that waits for room should not wait for minutes.
const LONGEST_PIECE_SECONDS = 1;

export function createPlaybackQueue(options: PlaybackQueueOptions): PlaybackQueue {
  const { context, destination, startSeconds, origin = 0, onProgress, onFinished } = options;
  const sources = new Set<AudioBufferSourceNode>();
  let held: Samples[] = [];
  let heldSeconds = 0;
  let total = origin;
  let runs: Run[] = [];
  let isPlaying = false;
  let isFinishing = false;
  let farthest = origin;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const endOf = (run: Run) => run.start + run.frames / run.sampleRate;
  const scheduledEnd = () => {
    const run = runs.at(-1);
    return run === undefined ? 0 : endOf(run);
  };

  function advance(): void {
    if (!isFinishing && sources.size === 0 && held.length === 0) isPlaying = false;
    if (held.length > 0) {
      if (isPlaying && !isFinishing && scheduledEnd() - context.currentTime > GATHER_WHILE_SECONDS) {
        timer ??= setTimeout(schedule, GATHER_MILLISECONDS);
      } else if (isPlaying || isFinishing || heldSeconds >= startSeconds) {
        schedule();
      }
    }
    if (isFinishing && held.length === 0 && sources.size === 0) onFinished();
  }

  function schedule(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const samples of mergeByRate(held)) {
      for (const piece of inPieces(samples)) place(piece);
    }
    held = [];
    heldSeconds = 0;
    isPlaying = true;
  }

  function place({ channels, sampleRate }: Samples): void {
    const frames = channels[0]?.length ?? 0;
    const run = runFor(sampleRate);
    const buffer = context.createBuffer(channels.length, frames, sampleRate);
    channels.forEach((samples, channel) => {
      buffer.copyToChannel(samples, channel);
    });
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(destination);
    source.onended = () => {
      source.disconnect();
      sources.delete(source);
      advance();
      onProgress();
    };
    sources.add(source);
    source.start(endOf(run));
    run.frames += frames;
  }

  function runFor(sampleRate: number): Run {
    const latest = runs.at(-1);
    const isLate = latest === undefined || endOf(latest) < context.currentTime;
    if (!isLate && latest.sampleRate === sampleRate) return latest;
    const position = latest === undefined ? origin : latest.position + latest.frames / latest.sampleRate;
    // On a frame of the context, so that pieces meet on frames too and nothing is interpolated at the seams.
    const lead = LEAD_SECONDS + (context.baseLatency || DRAWN_AT_ONCE_SECONDS);
    const soon = Math.ceil((context.currentTime + lead) * context.sampleRate) / context.sampleRate;
    const run = { start: isLate ? soon : endOf(latest), position, sampleRate, frames: 0 };
    runs.push(run);
    return run;
  }

  return {
    add(samples) {
      const frames = samples.channels[0]?.length ?? 0;
      if (frames === 0) return;
      held.push(samples);
      heldSeconds += frames / samples.sampleRate;
      total += frames / samples.sampleRate;
      advance();
      onProgress();
    },
    finish() {
      isFinishing = true;
      advance();
    },
    clear() {
      clearTimeout(timer);
      for (const source of sources) {
        source.onended = null;
        source.stop();
        source.disconnect();
      }
      sources.clear();
      held = [];
      heldSeconds = 0;
    },
    get position() {
      const heard = context.currentTime - outputDelay(context);
      const index = runs.findLastIndex((run) => run.start <= heard);
      const run = runs[index];
      if (run === undefined) return farthest;
      if (index > 0) runs = runs.slice(index);
      const within = Math.min(heard - run.start, run.frames / run.sampleRate);
      // The delay that the browser reports wavers; time does not go back.
      farthest = Math.max(farthest, run.position + within);
      return farthest;
    },
    get total() {
      return total;
    },
    get isPlaying() {
      return isPlaying;
    },
  };
}

/** Seconds between the context's clock and the listener's ear, as far as the browser knows. */
export function outputDelay(context: AudioContext): number {
  // Safari has no `outputLatency`, and elsewhere it is 0 until sound has left.
  const { outputLatency, baseLatency } = context as Partial<
    Pick<AudioContext, 'outputLatency' | 'baseLatency'>
  >;
  return outputLatency || baseLatency || 0;
}

function inPieces({ channels, sampleRate }: Samples): Samples[] {
  const longest = Math.ceil(LONGEST_PIECE_SECONDS * sampleRate);
  const frames = channels[0]?.length ?? 0;
  return Array.from({ length: Math.ceil(frames / longest) }, (_, index) => ({
    channels: channels.map((samples) => samples.subarray(index * longest, (index + 1) * longest)),
    sampleRate,
  }));
}

function mergeByRate(held: readonly Samples[]): Samples[] {
  const merged: Samples[] = [];
  let group: Samples[] = [];
  for (const samples of [...held, undefined]) {
    const [first] = group;
    const fits =
      first === undefined ||
      (samples?.sampleRate === first.sampleRate && samples.channels.length === first.channels.length);
    if (!fits && first !== undefined) {
      merged.push({
        sampleRate: first.sampleRate,
        channels: first.channels.map((_, channel) =>
          joinSamples(group.map(({ channels }) => channels[channel])),
        ),
      });
      group = [];
    }
    if (samples !== undefined) group.push(samples);
  }
  return merged;
}

function joinSamples(parts: readonly (Float32Array<ArrayBuffer> | undefined)[]): Float32Array<ArrayBuffer> {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const joined = new Float32Array(parts.reduce((sum, part) => sum + (part?.length ?? 0), 0));
  let position = 0;
  for (const part of parts) {
    if (part === undefined) continue;
    joined.set(part, position);
    position += part.length;
  }
  return joined;
}

/** Decoded audio that can be played again from any moment. */
export interface KeptAudio {
  add(samples: Samples): void;
  /** Seconds kept. */
  readonly seconds: number;
  /** What follows a moment, the piece that lies across it cut at the nearest frame. */
  from(seconds: number): Samples[];
}

interface KeptPiece {
  readonly start: number;
  readonly end: number;
  readonly samples: Samples;
}

export function createKeptAudio(): KeptAudio {
  const pieces: KeptPiece[] = [];
  let total = 0;
  return {
    add(samples) {
      const start = total;
      total += (samples.channels[0]?.length ?? 0) / samples.sampleRate;
      pieces.push({ start, end: total, samples });
    },
    get seconds() {
      return total;
    },
    from(seconds) {
      return pieces
        .filter(({ end }) => end > seconds)
        .map(({ start, samples }) => (start < seconds ? cut(samples, seconds - start) : samples));
    },
  };
}

function cut({ channels, sampleRate }: Samples, seconds: number): Samples {
  const frames = Math.round(seconds * sampleRate);
  // Copies of no bytes: the queue reads them only.
  return { sampleRate, channels: channels.map((samples) => samples.subarray(frames)) };
}
