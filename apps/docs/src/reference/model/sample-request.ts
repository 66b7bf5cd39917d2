import { parseArgs } from 'node:util';
import type { Sample } from './page-model.ts';
import { splitShell } from './split-shell.ts';

/** A part of a form as curl names it: a value, or the name of a file. */
export interface SamplePart {
  readonly name: string;
  readonly value: string;
  readonly isFile: boolean;
}

/** The request that the curl sample of an operation sends, without its key. */
export interface SampleRequest {
  readonly method: string;
  /** With its query, such as `/model?page_size=5`. */
  readonly path: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: { readonly json: string } | { readonly parts: readonly SamplePart[] } | undefined;
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
const variable = /^\$\{?SPEECH_BASE_URL\}?/;

/**
 * Reads the request out of the curl sample, so that what a page sends is what it shows.
 *
 * @throws Error naming the option that this reader does not know
 */
export function readSampleRequest(samples: readonly Sample[]): SampleRequest | undefined {
  const sample = samples.find(({ label }) => label === 'curl');
  const words = splitShell(sample?.code ?? '')?.find(([command]) => command === 'curl');
  if (sample === undefined || words === undefined) return undefined;
  const given = readOptions(words.slice(1));
  const query = given.isQuery && given.data.length > 0 ? `?${given.data.join('&')}` : '';
  const hasBody = given.parts.length > 0 || (given.data.length > 0 && !given.isQuery);
  return {
    method: given.method ?? (hasBody ? 'POST' : 'GET'),
    path: given.path + query,
    headers: given.headers.filter(([name]) => name.toLowerCase() !== 'authorization'),
    body:
      given.parts.length > 0
        ? { parts: given.parts }
        : hasBody
          ? { json: formatBody(given.data.join('')) }
          : undefined,
  };
}

function readOptions(words: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...words], options, allowPositionals: true });
  const { header = [], form = [], data = [] } = values;
  const address = positionals.find((word) => variable.test(word));
  return {
    method: values.request,
    path: address?.replace(variable, '') ?? '/',
    headers: header.map(readHeader),
    parts: form.map(readPart),
    data,
    isQuery: values.get === true,
  };
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
}

function readPart(text: string): SamplePart {
  const equals = text.indexOf('=');
  const value = text.slice(equals + 1);
  const isFile = value.startsWith('@');
  return { name: text.slice(0, equals), value: isFile ? value.slice(1).replace(/;.*$/, '') : value, isFile };
}

function formatBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
