import { readFileSync } from 'node:fs';
import { asObject, asText, readOpenApi } from '@speech-api/spec/read';
import type { APIRoute } from 'astro';

/** The files that examples of audio point to, beside the documents as in the package of the specification. */
export function getStaticPaths() {
  return Object.values(readOpenApi().objectAt('/components/examples')).flatMap((example) => {
    const [, file] = /^audio\/(.+)$/.exec(asText(asObject(example)['x-file'])) ?? [];
    return file === undefined ? [] : [{ params: { file } }];
  });
}

export const GET: APIRoute<Record<string, never>, { file: string }> = ({ params }) =>
  new Response(readFileSync(new URL(import.meta.resolve(`@speech-api/spec/audio/${params.file}`))));
