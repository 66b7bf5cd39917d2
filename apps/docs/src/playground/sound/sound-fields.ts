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

/**
 * Default latency of the pages. Snapshots in `balanced` follow the sound closely, so that a word can be lit
 * while the rest of its sentence is still being made; in `normal`, they may come after it.
 */
export const liveLatency: LatencyMode = 'balanced';

export class SoundFields {
  readonly #form: HTMLFormElement;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    form.addEventListener('input', () => this.#reflect());
    this.#reflect();
  }

  get format(): AudioFormat {
    return this.#chosen('format', audioFormats) ?? synthesisDefaults.format;
  }

  /** The fields of a request. What equals a default of the specification is left out. */
  read(): Partial<SynthesisSettings> {
    const { format } = this;
    const number = (name: string) => Number(this.#field(name).value);
    const prosody = changed({ speed: number('speed'), volume: number('volume') }, prosodyDefaults);
    const settings = {
      format,
      latency: this.#chosen('latency', latencyModes),
      sample_rate: this.#chosen('sample_rate', Object.values(sampleRates).flat()),
      mp3_bitrate: format === 'mp3' ? this.#chosen('bitrate', mp3Bitrates) : undefined,
      opus_bitrate: format === 'opus' ? this.#chosen('bitrate', opusBitrates) : undefined,
      temperature: number('temperature'),
      prosody: Object.keys(prosody).length > 0 ? prosody : undefined,
    };
    return changed(settings, synthesisDefaults);
  }

  #field(name: string): HTMLSelectElement | HTMLInputElement {
    return find(this.#form, `[name="${name}"]`);
  }

  #chosen<Value extends string | number>(name: string, values: readonly Value[]): Value | undefined {
    return values.find((value) => String(value) === this.#field(name).value);
  }

  #reflect(): void {
    const { format } = this;
    const rates: readonly number[] = sampleRates[format];
    this.#allow('sample_rate', ({ value }) => rates.includes(Number(value)));
    this.#allow('bitrate', ({ dataset }) => dataset.format === format);
    for (const range of this.#form.querySelectorAll<HTMLInputElement>('[type="range"]')) {
      const shown = range.closest('label')?.querySelector<HTMLElement>('.value');
      if (shown) shown.textContent = `${range.value}${shown.dataset.unit}`;
    }
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

/** The fields that are set, and not to their default. */
function changed<Fields extends object>(
  fields: Fields,
  defaults: Readonly<Record<string, unknown>>,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  const kept = Object.entries(fields).filter(
    ([name, value]) => value !== undefined && value !== defaults[name],
  );
  return Object.fromEntries(kept) as ReturnType<typeof changed<Fields>>;
}
