import { asArray, asObject, asText, isObject, type Json, type JsonObject } from '@speech-api/spec/read';
import { type HearWords, spokenBy } from '../embedded/spoken-by.ts';
import { formatJson } from './format-json.ts';
import { openapi } from './specification.ts';

/** A body as it may look, for a reader to copy. */
export interface Example {
  readonly name: string;
  readonly summary: string;
  readonly language: 'json' | 'txt';
  readonly code: string;
  /** The value, unless it is a stream or a file. */
  readonly value: Json | undefined;
  /** Text and settings for playing the example. */
  readonly words: HearWords | undefined;
  /** The file that it is, where it is audio: its address below the base of the site. */
  readonly file: { readonly address: string; readonly sampleRate: number | undefined } | undefined;
  /** The entry of the refusals that answers so, for the body of an error. */
  readonly refusal: string;
}

/** The examples of a media type. What is serialized already (a stream) is shown as it is; files of audio are heard. */
export function readExamples(media: JsonObject): readonly Example[] {
  return Object.entries(asObject(media.examples)).map(([name, node]) => {
    const { summary, value, serializedValue, 'x-refusal': refusal, 'x-file': path } = openapi.resolve(node);
    const stream = asText(serializedValue).trimEnd();
    // The rate of samples without a header is in their summary alone.
    const [, rate] = /(\d+) Hz/.exec(asText(summary)) ?? [];
    const sampleRate = asText(path).endsWith('.pcm') ? Number(rate) : undefined;
    return {
      name,
      summary: asText(summary),
      language: stream === '' ? 'json' : 'txt',
      code: stream === '' && value !== undefined ? formatJson(value) : stream,
      value,
      words: wordsOf(value, stream),
      file: path === undefined ? undefined : { address: `/${asText(path)}`, sampleRate },
      refusal: asText(refusal),
    };
  });
}

/** Spoken text of a speech request, a transcription, or the events of a stream. */
function wordsOf(value: Json | undefined, stream: string): HearWords | undefined {
  if (isObject(value) && typeof value.text === 'string') {
    const { text, reference_id, prosody } = value;
    return spokenBy(JSON.stringify({ text, reference_id, prosody }));
  }
  const contents = [...stream.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)];
  const text = [...new Set(contents.map(([, content = '""']) => String(JSON.parse(content))))].join(' ');
  return text === '' ? undefined : { text };
}

/**
 * Whether an error body can come from an operation that takes these parameters and fields, and refuses for these causes:
 * a list of issues may be about a field that only another operation has.
 */
export function isAbout(
  { refusal, value }: Example,
  sentNames: ReadonlySet<string>,
  causes: readonly JsonObject[],
): boolean {
  if (refusal !== '') return causes.some(({ id }) => id === refusal);
  const paths = asArray(value).map((issue) => asArray(asObject(issue).loc).slice(1).map(String));
  return paths.every(
    (path) => path.length === 0 || sentNames.has(path.filter((step) => !/^\d+$/.test(step)).join('.')),
  );
}
