import type { SynthesisSettings } from '@speech-api/types';

/** The settings of a request. Those that are left to the service are not in it. */
export function readSound(form: HTMLFormElement): Partial<SynthesisSettings> {
  const fields = new FormData(form);
  const text = (name: string) => fields.get(name) || undefined;
  const number = (name: string) => (text(name) === undefined ? undefined : Number(text(name)));
  const format = text('format');
  const settings = {
    format,
    latency: text('latency'),
    sample_rate: number('sample_rate'),
    [`${format}_bitrate`]: number('bitrate'),
    temperature: number('temperature'),
    prosody: { speed: number('speed'), volume: number('volume') },
  };
  const chosen = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(chosen) as Partial<SynthesisSettings>;
}

/** Shows the values of the sliders, and offers the rates and the bitrates that the format has. */
export function showSound(form: HTMLFormElement): void {
  const format = String(new FormData(form).get('format'));
  for (const option of form.querySelectorAll<HTMLOptionElement>('[data-formats]')) {
    option.disabled = !option.dataset.formats?.split(' ').includes(format);
    option.hidden = option.disabled;
    if (option.disabled) option.selected = false;
  }
  for (const range of form.querySelectorAll<HTMLInputElement>('[type="range"]')) {
    const shown = range.closest('label')?.querySelector<HTMLElement>('.value');
    if (shown) shown.textContent = `${range.value}${shown.dataset.unit}`;
  }
}
