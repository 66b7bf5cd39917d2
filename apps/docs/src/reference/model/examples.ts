import {
  asArray,
  asObject,
  asText,
  isObject,
  type Json,
  type JsonObject,
  type SpecDocument,
} from '@speech-api/spec/read';
import type { AudioFormat } from '@speech-api/types';
import { type HearWords, spokenBy } from '../../embedded/spoken-by.ts';
import type { Example, Sample } from './page-model.ts';

/** The examples of a media type. What is serialized already (a stream) is shown as it is; files of audio are heard. */
export function readExamples(document: SpecDocument, content: JsonObject): readonly Example[] {
  return Object.entries(asObject(content.examples)).flatMap(([name, node]) => {
    const { summary, value, serializedValue, 'x-refusal': refusal, 'x-file': file } = document.resolve(node);
    const said = { name, summary: asText(summary) };
    if (file !== undefined) {
      return { ...said, language: 'text' as const, code: '', file: audioFile(asText(file), said.summary) };
    }
    const serialized = asText(serializedValue);
    const words = wordsOf(value, serialized);
    return {
      ...said,
      ...(words === undefined ? {} : { words }),
      ...(typeof refusal === 'string' ? { refusal } : {}),
      ...(serialized === ''
        ? { language: 'json' as const, code: formatJson(value ?? null) }
        : { language: 'text' as const, code: serialized.trimEnd() }),
    };
  });
}

const endings: Readonly<Record<string, AudioFormat>> = { mp3: 'mp3', wav: 'wav', ogg: 'opus', pcm: 'pcm' };

/** A file of audio, which the site serves beside the document. Samples alone have their rate in their summary. */
function audioFile(path: string, summary: string) {
  const format = endings[path.slice(path.lastIndexOf('.') + 1)];
  if (format === undefined) throw new Error(`${path} has no ending that is known`);
  const [, rate] = /(\d+) Hz/.exec(summary) ?? [];
  return {
    address: `/${path}`,
    format,
    ...(format === 'pcm' && rate !== undefined ? { sampleRate: Number(rate) } : {}),
  };
}

/** Spoken text of a speech request, a transcription, or the events of a stream. */
function wordsOf(value: Json | undefined, serialized: string): HearWords | undefined {
  if (isObject(value) && typeof value.text === 'string') {
    const { text, reference_id, prosody } = value;
    return spokenBy(JSON.stringify({ text, reference_id, prosody }));
  }
  const contents = [...serialized.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)];
  const text = [...new Set(contents.map(([, content = '""']) => String(JSON.parse(content))))].join(' ');
  return text === '' ? undefined : { text };
}

/**
 * Whether an error body can come from an operation with these parameters and fields. Responses are shared
 * between operations, and a list of issues may be about a field that only one of them has.
 *
 * @param names names of the parameters and paths of the fields of the operation
 * @param refusals the entries of the refusals that the operation can answer with
 */
export function isAbout(
  example: Example,
  names: ReadonlySet<string>,
  refusals: readonly { readonly id: string }[],
): boolean {
  if (example.refusal !== undefined) return refusals.some(({ id }) => id === example.refusal);
  const body: unknown = example.language === 'json' ? JSON.parse(example.code) : undefined;
  const paths = asArray(body).map((issue) => asArray(asObject(issue).loc).slice(1).map(String));
  return paths.every(
    (path) => path.length === 0 || names.has(path.filter((step) => !/^\d+$/.test(step)).join('.')),
  );
}

/** JSON as a person would write it: what is short stays on one line. */
export function formatJson(value: Json, indent = ''): string {
  const line = inline(value);
  if (indent.length + line.length <= 72 && !(indent === '' && isObject(value))) return line;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => `${indent}  ${formatJson(entry, `${indent}  `)}`);
    return entries.length === 0 ? '[]' : `[\n${entries.join(',\n')}\n${indent}]`;
  }
  if (isObject(value)) {
    const entries = Object.entries(value).map(
      ([key, entry]) => `${indent}  ${JSON.stringify(key)}: ${formatJson(entry, `${indent}  `)}`,
    );
    return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${indent}}`;
  }
  return line;
}

function inline(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${inline(entry)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Names of each language in the document, with its label and its highlighting, in the order of the tabs. */
const documentLanguages = [
  { names: ['typescript', 'ts', 'javascript'], label: 'TypeScript', language: 'ts' },
  { names: ['curl', 'shell', 'bash', 'sh'], label: 'curl', language: 'sh' },
  { names: ['python'], label: 'Python', language: 'python' },
];

/** The samples that the document itself has for an operation (`x-codeSamples`). */
export function readCodeSamples(node: Json | undefined): readonly Sample[] {
  const given = asArray(node).map(asObject);
  return documentLanguages.flatMap(({ names, label, language }) => {
    const sample = given.find(({ lang }) => names.includes(asText(lang).toLowerCase()));
    if (sample === undefined) return [];
    return [{ label, language, code: withoutHeader(asText(sample.source)) }];
  });
}

/** The interpreter line and the shell's safety settings are for running the file, not for reading it. */
function withoutHeader(source: string): string {
  return source
    .replace(/^#!.*\n/, '')
    .replace(/^set -.*\n/m, '')
    .trim();
}
