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

const withoutValue = new Set(
  '--fail-with-body --silent --show-error --no-buffer --fail -s -S -N -f -sS'.split(' '),
);
const ignored = new Set(['--output', '-o', '--max-time']);
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
  const given = readOptions(words.slice(1), sample.file);
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

function readOptions(words: readonly string[], file: string) {
  const headers: [string, string][] = [];
  const parts: SamplePart[] = [];
  const data: string[] = [];
  let method: string | undefined;
  let path = '/';
  let isQuery = false;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (withoutValue.has(word)) continue;
    if (variable.test(word)) {
      path = word.replace(variable, '');
      continue;
    }
    if (word === '--get' || word === '-G') {
      isQuery = true;
      continue;
    }
    index += 1;
    const value = words[index] ?? '';
    if (word === '--request' || word === '-X') method = value;
    else if (word === '--header' || word === '-H') headers.push(readHeader(value));
    else if (word === '--form' || word === '-F') parts.push(readPart(value));
    else if (word === '--data' || word === '-d' || word === '--json' || word === '--data-urlencode')
      data.push(value);
    else if (!ignored.has(word)) throw new Error(`${file}: no request can be read from curl's ${word}`);
    if (word === '--json') headers.push(['Content-Type', 'application/json']);
  }
  return { method, path, headers, parts, data, isQuery };
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
