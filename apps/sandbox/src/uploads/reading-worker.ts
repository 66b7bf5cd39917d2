import { parentPort } from 'node:worker_threads';
import { Fingerprinter } from '../recall/fingerprint.ts';
import { createResampler, type Resampler } from '../speech/output/resampler.ts';
import { type DecodingOptions, openSound } from './decoders.ts';
import { type SoundBlock, UnreadableAudioError } from './sound.ts';
import type { ReadFile, ReadingMessage, ReadRequest, Span } from './uploads.ts';

// The program of the thread that reads uploads. Strangers' files are decoded here: whatever one of them does to a
// decoder, the thread can be ended. What decoders write about such a file on the error stream is of no use to anybody.
process.stderr.write = () => true;

/** Milliseconds between two reports of progress. */
const reportEvery = 100;

parentPort?.on('message', async (request: ReadRequest) => {
  const send = (message: ReadingMessage): void => parentPort?.postMessage(message);
  let reported = performance.now();
  const onProgress = (): void => {
    if (performance.now() - reported < reportEvery) return;
    reported = performance.now();
    send({ type: 'progress' });
  };
  send({ type: 'progress' });
  try {
    send({ type: 'file', file: await readFile(request.bytes, { ...request, onProgress }) });
  } catch (error) {
    // The decoder's message describes its own internals, so it is not shown.
    send({
      type: 'problem',
      message: error instanceof UnreadableAudioError ? error.message : 'it is damaged',
    });
  }
});

/**
 * Decodes a file and listens to its sound, block by block: a recording of any length takes the same memory.
 *
 * @throws UnreadableAudioError
 */
async function readFile(bytes: Uint8Array, options: DecodingOptions): Promise<ReadFile> {
  const { container, codec, blocks, measured } = await openSound(bytes, options);
  if (blocks === undefined) {
    if (!measured || !Number.isFinite(measured.seconds))
      throw new UnreadableAudioError('it has no sound that can be measured');
    checkRate(measured.sampleRate);
    const { seconds, sampleRate, channels } = measured;
    const cut = seconds > options.maximumSeconds;
    const unheard = { cut, decoded: false, voice: [], frames: new Uint32Array(0) };
    return { container, codec, sampleRate, channels, duration: seconds, ...unheard };
  }
  const listener = new Listener();
  let first: SoundBlock | undefined;
  let duration = 0;
  for await (const block of blocks) {
    checkRate(block.sampleRate);
    first ??= block;
    await listener.hear(block);
    duration += block.samples.length / block.sampleRate;
    options.onProgress();
    if (duration > options.maximumSeconds) break;
  }
  if (first === undefined) throw new UnreadableAudioError('no sound could be decoded from it');
  const { sampleRate, channels } = first;
  // A sum of many fractions is not a whole number of seconds where the samples are.
  duration = Math.round(duration * 1e9) / 1e9;
  const cut = duration > options.maximumSeconds;
  return { container, codec, sampleRate, channels, duration, cut, decoded: true, ...listener.end() };
}

/** Hz. A file that states a rate outside these limits is damaged. */
const slowestRate = 1000;
const fastestRate = 768_000;

function checkRate(sampleRate: number): void {
  if (sampleRate >= slowestRate && sampleRate <= fastestRate) return;
  throw new UnreadableAudioError(`its sample rate of ${sampleRate} Hz is none that sound has`);
}

/** Sample rate of the analysis in Hz, whatever the file has: speech is below half of it. */
const listeningRate = 8000;
/** Samples in one level. */
const hop = 128;
/** Seconds from one level to the next: 16 ms. */
const levelSeconds = hop / listeningRate;
/** The level of no sound at all, in dB of full scale. */
const quietest = -100;

/** Takes the fingerprint of a recording, and its loudness every 16 ms in dB of full scale. */
class Listener {
  readonly #fingerprinter = new Fingerprinter();
  readonly #levels: number[] = [];
  #power = 0;
  #filled = 0;
  #rate = listeningRate;
  #resampler: Resampler | undefined;

  async hear({ samples, sampleRate }: SoundBlock): Promise<void> {
    if (sampleRate !== this.#rate) {
      // Files that were joined can change their rate on the way.
      this.#endRate();
      this.#rate = sampleRate;
      if (sampleRate !== listeningRate) this.#resampler = await createResampler(sampleRate, listeningRate);
    }
    this.#take(this.#resampler ? this.#resampler.write(samples) : samples);
  }

  end(): Pick<ReadFile, 'voice' | 'frames'> {
    this.#endRate();
    return { voice: findVoice(this.#levels), frames: this.#fingerprinter.end() };
  }

  #endRate(): void {
    if (this.#resampler === undefined) return;
    this.#take(this.#resampler.end());
    this.#resampler.free();
    this.#resampler = undefined;
  }

  #take(samples: Float32Array): void {
    this.#fingerprinter.push(samples);
    for (const sample of samples) {
      this.#power += sample * sample;
      this.#filled += 1;
      if (this.#filled < hop) continue;
      const level = this.#power === 0 ? quietest : 10 * Math.log10(this.#power / hop);
      this.#levels.push(Math.max(quietest, level));
      this.#power = 0;
      this.#filled = 0;
    }
  }
}

/** Sound below this level is not a voice, in dB of full scale. */
const quietestVoice = -50;
/** Sound above this level is not background noise, however steady it is. */
const loudestFloor = -25;
/** dB by which a voice is louder than the background. */
const aboveFloor = 9;
/** Seconds of quiet that belong to speech: stops, and the space between words. */
const longestPause = 0.3;
const shortestVoice = 0.15;
/** dB by which the loudness of speech wavers at least, as standard deviation. Tones and noise keep theirs. */
const leastWavering = 2.5;

/**
 * Spans that may be speech: louder than the background, and fluctuating as speech does. Music and footsteps
 * fluctuate too; this only separates sound that may be speech from sound that is not.
 */
function findVoice(levels: readonly number[]): Span[] {
  const threshold = Math.max(quietestVoice, Math.min(loudestFloor, floorOf(levels)) + aboveFloor);
  const spans: { first: number; end: number }[] = [];
  levels.forEach((level, index) => {
    if (level < threshold) return;
    const last = spans.at(-1);
    if (last && (index - last.end) * levelSeconds <= longestPause) last.end = index + 1;
    else spans.push({ first: index, end: index + 1 });
  });
  return spans
    .filter(({ first, end }) => (end - first) * levelSeconds >= shortestVoice)
    .filter(({ first, end }) => wavering(levels.slice(first, end)) >= leastWavering)
    .map(({ first, end }) => ({ start: first * levelSeconds, end: end * levelSeconds }));
}

/** The level that a tenth of the recording stays below. */
function floorOf(levels: readonly number[]): number {
  const sorted = Float64Array.from(levels).sort();
  return sorted[Math.floor(sorted.length / 10)] ?? 0;
}

/** The ends are ignored, because any sound rises from silence and falls back to it. */
function wavering(levels: readonly number[]): number {
  const inner = levels.length > 12 ? levels.slice(3, -3) : levels;
  const mean = inner.reduce((sum, level) => sum + level, 0) / inner.length;
  return Math.sqrt(inner.reduce((sum, level) => sum + (level - mean) ** 2, 0) / inner.length);
}
