import {
  type AudioFormat,
  audioFormats,
  type LatencyMode,
  latencyModes,
  prosodyDefaults,
  type SynthesisSettings,
  synthesisDefaults,
} from '@speech-api/types';
import { find } from '../page/page.ts';

/** How it is to sound, whoever speaks. */
export interface SoundSettings {
  readonly format: AudioFormat;
  readonly latency: LatencyMode;
  readonly speed: number;
}

/**
 * What the pages begin with. The snapshots of `balanced` follow the sound closely, so that a word can be lit while
 * the rest of its sentence is still being made; in `normal` they may come after it.
 */
export const liveLatency: LatencyMode = 'balanced';

/** The fields of a request for these settings. What equals a default of the specification is left out. */
export function soundPart({ format, latency, speed }: SoundSettings): Partial<SynthesisSettings> {
  return {
    ...(format === synthesisDefaults.format ? {} : { format }),
    ...(latency === synthesisDefaults.latency ? {} : { latency }),
    ...(speed === prosodyDefaults.speed ? {} : { prosody: { speed } }),
  };
}

/** The fields for format, latency and speed. */
export class SoundFields {
  readonly #form: HTMLFormElement;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    form.addEventListener('input', () => this.#reflect());
    this.#reflect();
  }

  read(): SoundSettings {
    return {
      format: audioFormats.find((format) => format === this.#chosen('format')) ?? synthesisDefaults.format,
      latency: latencyModes.find((mode) => mode === this.#chosen('latency')) ?? synthesisDefaults.latency,
      speed: Number(this.#chosen('speed')),
    };
  }

  #chosen(name: string): string {
    return find<HTMLSelectElement | HTMLInputElement>(this.#form, `[name="${name}"]`).value;
  }

  #reflect(): void {
    find(this.#form, '[data-speed]').textContent = `${Number(this.#chosen('speed')).toFixed(2)}×`;
  }
}
