import createModule, { type SpeexModule } from '@echogarden/speex-resampler-wasm/simd';
import { joinArrays } from './samples.ts';

const quality = 8;
/** Samples handed over at a time; the output buffer is sized for the largest ratio. */
const windowLength = 4096;
const largestRatio = 48000 / 8000;
const bytesASample = 4;

let loading: Promise<SpeexModule> | undefined;

export async function createResampler(inputRate: number, outputRate: number): Promise<Resampler> {
  loading ??= createModule();
  return new Resampler(await loading, inputRate, outputRate);
}

/** Changes the sample rate of a stream; what comes out is neither shifted nor longer than what went in. */
export class Resampler {
  readonly #module: SpeexModule;
  readonly #state: number;
  readonly #ratio: number;
  readonly #input: number;
  readonly #output: number;
  readonly #lengths: number;
  readonly #outputLength = Math.ceil(windowLength * largestRatio);
  #taken = 0;
  #given = 0;

  constructor(module: SpeexModule, inputRate: number, outputRate: number) {
    this.#module = module;
    this.#ratio = outputRate / inputRate;
    this.#lengths = module._malloc(3 * bytesASample);
    this.#input = module._malloc(windowLength * bytesASample);
    this.#output = module._malloc(this.#outputLength * bytesASample);
    this.#state = module._speex_resampler_init(1, inputRate, outputRate, quality, this.#lengths);
    if (this.#state === 0)
      throw new Error(`The resampler cannot convert ${inputRate} Hz to ${outputRate} Hz.`);
    // The filter's delay, taken off the front instead of appearing as silence.
    module._speex_resampler_skip_zeros(this.#state);
  }

  /** The returned samples are the caller's. */
  write(samples: Float32Array): Float32Array {
    this.#taken += samples.length;
    const parts: Float32Array[] = [];
    for (let offset = 0; offset < samples.length; offset += windowLength) {
      parts.push(...this.#process(samples.subarray(offset, offset + windowLength)));
    }
    const [only] = parts;
    const result = only && parts.length === 1 ? only : joinArrays<Float32Array>(Float32Array, parts);
    this.#given += result.length;
    return result;
  }

  /** Returns the remaining samples, up to the length of the input at the new rate. */
  end(): Float32Array {
    const missing = Math.round(this.#taken * this.#ratio) - this.#given;
    const silence = new Float32Array(
      this.#module._speex_resampler_get_input_latency(this.#state) + windowLength,
    );
    return this.write(silence).slice(0, Math.max(0, missing));
  }

  free(): void {
    this.#module._speex_resampler_destroy(this.#state);
    for (const pointer of [this.#lengths, this.#input, this.#output]) this.#module._free(pointer);
  }

  #process(samples: Float32Array): Float32Array[] {
    const parts: Float32Array[] = [];
    let used = 0;
    while (used < samples.length) {
      const rest = samples.subarray(used);
      this.#module.HEAPF32.set(rest, this.#input / bytesASample);
      this.#module.HEAPU32[this.#lengths / bytesASample] = rest.length;
      this.#module.HEAPU32[this.#lengths / bytesASample + 1] = this.#outputLength;
      this.#module._speex_resampler_process_float(
        this.#state,
        0,
        this.#input,
        this.#lengths,
        this.#output,
        this.#lengths + bytesASample,
      );
      used += this.#module.HEAPU32[this.#lengths / bytesASample] ?? 0;
      const made = this.#module.HEAPU32[this.#lengths / bytesASample + 1] ?? 0;
      const start = this.#output / bytesASample;
      parts.push(this.#module.HEAPF32.slice(start, start + made));
    }
    return parts;
  }
}
