import { parseArgs } from 'node:util';
import { asArray, asObject, asText, type Json } from '@speech-api/spec/read';

export interface Sample {
  readonly label: string;
  readonly language: string;
  readonly code: string;
}

const languages: Readonly<Record<string, string>> = { TypeScript: 'ts', Shell: 'sh', Python: 'python' };

/** The samples that the document has for an operation (`x-codeSamples`). */
export function readCodeSamples(node: Json | undefined): readonly Sample[] {
  return asArray(node)
    .map(asObject)
    .map(({ lang, label, source }) => ({
      label: asText(label),
      language: languages[asText(lang)] ?? 'txt',
      // The interpreter line and the shell's safety settings are for running the file, not for reading it.
      code: asText(source)
        .replace(/^#!.*\n/, '')
        .replace(/^set -.*\n/m, '')
        .trim(),
    }));
}

/** The request that the curl sample of an operation sends, without its key. */
export interface SampleRequest {
  readonly method: string;
  /** With its query, such as `/model?page_size=5`. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly json: string | undefined;
  /** The parts of a form: a value, or the name of a file after `@`. */
  readonly parts: readonly (readonly [name: string, value: string])[];
}

/** The options of curl that a sample may have. */
const options = {
  request: { type: 'string' },
  header: { type: 'string', multiple: true },
  form: { type: 'string', multiple: true },
  data: { type: 'string', multiple: true },
  get: { type: 'boolean' },
  output: { type: 'string' },
  'fail-with-body': { type: 'boolean' },
  silent: { type: 'boolean', short: 's' },
  'show-error': { type: 'boolean', short: 'S' },
  'no-buffer': { type: 'boolean' },
} as const;

/**
 * Reads the request out of the curl sample, so that what a page sends is what it shows.
 *
 * @throws Error naming the option that this reader does not know
 */
export function readSampleRequest(samples: readonly Sample[]): SampleRequest | undefined {
  const sample = samples.find(({ label }) => label === 'curl');
  if (sample === undefined) return undefined;
  const args = shellWords(sample.code).slice(1);
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const { header = [], form = [], data = [] } = values;
  const path = positionals[0]?.replace('$SPEECH_BASE_URL', '') ?? '/';
  const json = values.get || data.length === 0 ? undefined : data.join('');
  return {
    method: values.request ?? (json === undefined && form.length === 0 ? 'GET' : 'POST'),
    path: values.get ? `${path}?${data.join('&')}` : path,
    headers: header
      .map((line) => splitAt(line, ': '))
      .filter(([name]) => name.toLowerCase() !== 'authorization'),
    json: json && JSON.stringify(JSON.parse(json), null, 2),
    parts: form.map((part) => splitAt(part, '=')),
  };
}

/** The words of one command, without comments, quotes and escaped line ends. */
function shellWords(code: string): string[] {
  const words = code.replaceAll(/^#.*$/gm, '').match(/(?:'[^']*'|"[^"]*"|[^\s'"\\])+/g) ?? [];
  return words.map((word) => (word.startsWith("'") ? word.slice(1, -1) : word.replaceAll('"', '')));
}

function splitAt(text: string, separator: string): [string, string] {
  const place = text.indexOf(separator);
  return [text.slice(0, place), text.slice(place + separator.length)];
}
