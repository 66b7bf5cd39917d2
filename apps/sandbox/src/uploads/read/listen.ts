import { createResampler, type Resampler } from '../../speech/audio/resampler.ts';
import type { FileFacts } from '../clip-facts.ts';
import { type Listener, listeningRate } from '../listening.ts';
import { UnreadableAudioError } from '../unreadable-audio-error.ts';
import { type OpenOptions, openSound } from './open-sound.ts';
import type { SoundBlock } from './sound.ts';

/** Hz. What says to be slower or faster is damaged. */
const slowestRate = 1000;
const fastestRate = 768_000;

/**
 * Decodes a file and gives its sound to listeners, block by block: a recording of any length takes the same memory.
 *
 * @throws UnreadableAudioError
 */
export async function listen(
  bytes: Uint8Array,
  listeners: readonly Listener[],
  options: OpenOptions,
): Promise<FileFacts> {
  const { container, codec, blocks, measured } = await openSound(bytes, options);
  if (blocks === undefined) {
    if (!measured || !Number.isFinite(measured.seconds))
      throw new UnreadableAudioError('it has no sound that can be measured');
    checkRate(measured.sampleRate);
    const { seconds, sampleRate, channels } = measured;
    return { container, codec, sampleRate, channels, duration: seconds, cut: false, decoded: false };
  }
  const ears = new Ears(listeners);
  const length = new Length();
  let first: SoundBlock | undefined;
  let cut = false;
  for await (const block of blocks) {
    checkRate(block.sampleRate);
    first ??= block;
    await ears.hear(block);
    length.add(block);
    options.onProgress();
    cut = length.seconds > options.mostSeconds;
    if (cut) break;
  }
  ears.end();
  if (first === undefined) throw new UnreadableAudioError('no sound could be decoded from it');
  const { sampleRate, channels } = first;
  return { container, codec, sampleRate, channels, duration: length.seconds, cut, decoded: true };
}

/** Samples are counted, a rate at a time: a sum of many fractions would not be a whole number of seconds. */
class Length {
  readonly #samples = new Map<number, number>();

  add({ samples, sampleRate }: SoundBlock): void {
    this.#samples.set(sampleRate, (this.#samples.get(sampleRate) ?? 0) + samples.length);
  }

  get seconds(): number {
    return [...this.#samples].reduce((sum, [sampleRate, count]) => sum + count / sampleRate, 0);
  }
}

/** Brings every block to the rate of listening. */
class Ears {
  readonly #listeners: readonly Listener[];
  #rate: number | undefined;
  #resampler: Resampler | undefined;

  constructor(listeners: readonly Listener[]) {
    this.#listeners = listeners;
  }

  async hear({ samples, sampleRate }: SoundBlock): Promise<void> {
    if (sampleRate !== this.#rate) {
      // Files that were joined can change their rate on the way.
      this.end();
      this.#rate = sampleRate;
      if (sampleRate !== listeningRate) this.#resampler = await createResampler(sampleRate, listeningRate);
    }
    this.#tell(this.#resampler ? this.#resampler.write(samples) : samples);
  }

  end(): void {
    if (this.#resampler) {
      this.#tell(this.#resampler.end());
      this.#resampler.free();
      this.#resampler = undefined;
    }
  }

  #tell(samples: Float32Array): void {
    for (const listener of this.#listeners) listener.push(samples);
  }
}

function checkRate(sampleRate: number): void {
  if (sampleRate >= slowestRate && sampleRate <= fastestRate) return;
  throw new UnreadableAudioError(`its sample rate of ${sampleRate} Hz is none that sound has`);
}
