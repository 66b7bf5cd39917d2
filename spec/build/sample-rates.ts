import { isObject, type Json, type JsonObject } from '../read.ts';

/**
 * Writes the sample rates of audio formats into rules that name the format, so that the rates are written in the schema only.
 *
 * @param value Rules; `{ sample_rates_of: mp3 }` anywhere in them becomes the list of rates.
 * @param formats The formats by name, as `x-audio-formats` of `AudioFormat` has them.
 * @throws Error When a rule names a format that does not exist.
 */
export function withSampleRates(value: Json, formats: JsonObject): Json {
  if (Array.isArray(value)) return value.map((item) => withSampleRates(item, formats));
  if (!isObject(value)) return value;
  const { sample_rates_of: name } = value;
  if (name !== undefined) {
    const format = formats[String(name)];
    if (isObject(format) && format.sampleRates !== undefined) return format.sampleRates;
    throw new Error(`A rule asks for the sample rates of ${String(name)}, which AudioFormat does not have.`);
  }
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member, withSampleRates(inner, formats)]),
  );
}
