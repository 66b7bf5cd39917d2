import {
  type AudioFormat,
  audioFormats,
  type LatencyMode,
  latencyModes,
  mp3Bitrates,
  opusBitrates,
  prosodyDefaults,
  type SynthesisSettings,
  sampleRates,
  synthesisDefaults,
} from '@speech-api/types';
import { find } from '../page/page.ts';

type SampleRate = (typeof sampleRates)[AudioFormat][number];
const allRates: readonly SampleRate[] = Object.values(sampleRates).flat();

/** How it is to sound, whoever speaks. */
export interface SoundSettings {
  readonly format: AudioFormat;
  readonly latency: LatencyMode;
  readonly speed: number;
  /** Decibels. */
  readonly volume?: number;
  readonly temperature?: number;
  /** Hz; the format's own when left out. */
  readonly sampleRate?: SampleRate;
  /** As the wire has it, kbps of mp3 and bps of opus; the format's own when left out. */
  readonly bitrate?: number;
}

/**
 * What the pages begin with. The snapshots of `balanced` follow the sound closely, so that a word can be lit while
 * the rest of its sentence is still being made; in `normal` they may come after it.
 */
export const liveLatency: LatencyMode = 'balanced';

/** The fields of a request for these settings. What equals a default of the specification is left out. */
export function soundPart(settings: SoundSettings): Partial<SynthesisSettings> {
  const { format, latency, speed, sampleRate } = settings;
  const volume = settings.volume ?? prosodyDefaults.volume;
  const temperature = settings.temperature ?? synthesisDefaults.temperature;
  const prosody = {
    ...(speed === prosodyDefaults.speed ? {} : { speed }),
    ...(volume === prosodyDefaults.volume ? {} : { volume }),
  };
  return {
    ...(format === synthesisDefaults.format ? {} : { format }),
    ...(latency === synthesisDefaults.latency ? {} : { latency }),
    ...(sampleRate === undefined ? {} : { sample_rate: sampleRate }),
    ...bitratePart(settings),
    ...(temperature === synthesisDefaults.temperature ? {} : { temperature }),
    ...(Object.keys(prosody).length === 0 ? {} : { prosody }),
  };
}

function bitratePart({ format, bitrate }: SoundSettings): Partial<SynthesisSettings> {
  const mp3_bitrate = mp3Bitrates.find((known) => known === bitrate);
  const opus_bitrate = opusBitrates.find((known) => known === bitrate);
  if (format === 'mp3' && mp3_bitrate !== undefined) return { mp3_bitrate };
  return format === 'opus' && opus_bitrate !== undefined ? { opus_bitrate } : {};
}

/** The fields for the sound. */
export class SoundFields {
  readonly #form: HTMLFormElement;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    form.addEventListener('input', () => this.#reflect());
    this.#reflect();
  }

  read(): SoundSettings {
    const sampleRate = allRates.find((rate) => String(rate) === this.#chosen('sample_rate'));
    return {
      format: audioFormats.find((format) => format === this.#chosen('format')) ?? synthesisDefaults.format,
      latency: latencyModes.find((mode) => mode === this.#chosen('latency')) ?? synthesisDefaults.latency,
      speed: Number(this.#chosen('speed')),
      volume: Number(this.#chosen('volume')),
      temperature: Number(this.#chosen('temperature')),
      ...(sampleRate === undefined ? {} : { sampleRate }),
      ...(this.#chosen('bitrate') === '' ? {} : { bitrate: Number(this.#chosen('bitrate')) }),
    };
  }

  #chosen(name: string): string {
    return find<HTMLSelectElement | HTMLInputElement>(this.#form, `[name="${name}"]`).value;
  }

  #reflect(): void {
    const { format } = this.read();
    const rates: readonly number[] = sampleRates[format];
    this.#allow('sample_rate', ({ value }) => rates.includes(Number(value)));
    this.#allow('bitrate', ({ dataset }) => dataset.format === format);
    find(this.#form, '[data-volume]').textContent = `${this.#chosen('volume')} dB`;
    find(this.#form, '[data-temperature]').textContent = Number(this.#chosen('temperature')).toFixed(2);
    find(this.#form, '[data-speed]').textContent = `${Number(this.#chosen('speed')).toFixed(2)}×`;
  }

  /** Offers what the format has; where that is nothing, the field rests. */
  #allow(name: string, isAllowed: (option: HTMLOptionElement) => boolean): void {
    const field = find<HTMLSelectElement>(this.#form, `[name="${name}"]`);
    const [, ...choices] = field.options;
    for (const option of choices) {
      option.disabled = !isAllowed(option);
      option.hidden = option.disabled;
    }
    if (field.selectedOptions[0]?.disabled === true) field.value = '';
    field.disabled = choices.every(({ disabled }) => disabled);
  }
}
