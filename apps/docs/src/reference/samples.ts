import { parseArgs } from 'node:util';
import { asArray, asObject, asText, type Json } from '@speech-api/spec/read';
import type { ApiRequest } from '../run/request.ts';
import type { SampleTemplate } from '../run/write-sample.ts';

export interface Sample extends SampleTemplate {
  readonly label: string;
  readonly code: string;
}

const languages: Readonly<Record<string, string>> = { TypeScript: 'ts', Shell: 'sh', Python: 'python' };

/** The samples that the document has for an operation (`x-codeSamples`). */
export function readCodeSamples(node: Json | undefined): readonly Sample[] {
  return asArray(node)
    .map(asObject)
    .map(({ lang, label, source }) => {
      // The interpreter line and the shell's safety settings are for running the file, not for reading it.
      const code = asText(source)
        .replace(/^#!.*\n/, '')
        .replace(/^set -.*\n/m, '')
        .trim();
      const language = languages[asText(lang)] ?? 'txt';
      return { label: asText(label), code, ...splitSample(language, code) };
    });
}

/** The options of curl that a sample may have. */
const options = {
  request: { type: 'string' },
  header: { type: 'string', multiple: true },
  form: { type: 'string', multiple: true },
  data: { type: 'string', multiple: true },
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
export function readSampleRequest(samples: readonly Sample[]): ApiRequest | undefined {
  const sample = samples.find(({ label }) => label === 'curl');
  if (sample === undefined) return undefined;
  const args = shellWords(sample.code).slice(1);
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const { header = [], form = [], data = [] } = values;
  const path = positionals[0]?.replace('$SPEECH_BASE_URL', '') ?? '/';
  const json = data.length === 0 ? undefined : data.join('');
  return {
    method: values.request ?? (json === undefined && form.length === 0 ? 'GET' : 'POST'),
    path,
    headers: header
      .map((line) => splitAt(line, ': '))
      .filter(([name]) => name.toLowerCase() !== 'authorization'),
    json: json && JSON.stringify(JSON.parse(json), null, 2),
    parts: form.map((part) => splitAt(part, '=')).filter(([, value]) => !value.startsWith('@')),
    files: form.map((part) => splitAt(part, '=@')).filter(([name]) => !name.includes('=')),
  };
}

/** Splits a sample where its request is, which is the arguments of its first call. */
function splitSample(language: string, code: string): SampleTemplate {
  if (language === 'sh') {
    const [after = ''] = /--output \S+$/.exec(code) ?? [];
    return { language, before: code.slice(0, code.search(/\s+(?:--request|\\|"\$)/)), after };
  }
  const [before = ''] = /^[\s\S]*?(?:client\.\w+\.|requests\.)\w+\(/.exec(code) ?? [];
  let end = before.length;
  for (let depth = 1; depth > 0 && end < code.length; end += 1)
    depth += { '(': 1, ')': -1 }[code.charAt(end)] ?? 0;
  // What says how the call is made, and not what is sent, stays.
  const settings = code.slice(before.length, end).match(/^ *(?:stream|timeout)=.*\n/gm) ?? [];
  const base = /^ *(?=.*$)/m.exec(before.slice(before.lastIndexOf('\n') + 1))?.[0] ?? '';
  const after = `${settings.join('')}${language === 'python' ? base : ''}${code.slice(end - 1)}`;
  return { language, before, after };
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
