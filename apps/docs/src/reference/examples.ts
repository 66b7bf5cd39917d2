import { asArray, asObject, asText, type JsonObject } from '@speech-api/spec/read';
import { formatJson } from './format-json.ts';
import { openapi } from './specification.ts';

/** A body as it may look, for a reader to copy. */
export type Example = ReturnType<typeof readExamples>[number];

/** The examples of a media type. What is serialized already (a stream) is shown as it is; files of audio are heard. */
export function readExamples(media: JsonObject) {
  return Object.entries(asObject(media.examples)).map(([name, node]) => {
    const { summary, value, serializedValue, 'x-refusal': refusal, 'x-file': path } = openapi.resolve(node);
    const stream = asText(serializedValue).trimEnd();
    return {
      name,
      summary: asText(summary),
      language: stream === '' ? 'json' : 'txt',
      code: stream === '' && value !== undefined ? formatJson(value) : stream,
      /** Undefined for a stream or a file. */
      value,
      /** The address of audio below the base of the site. */
      file: path === undefined ? undefined : `/${asText(path)}`,
      /** The entry of the refusals that answers so, for the body of an error. */
      refusal: asText(refusal),
    };
  });
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
