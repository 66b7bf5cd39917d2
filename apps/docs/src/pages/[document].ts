import { readFile } from 'node:fs/promises';
import type { APIRoute } from 'astro';
import { stringify } from 'yaml';

const read = (file: string): Promise<string> =>
  readFile(new URL(`dist/${file}`, import.meta.resolve('@speech-api/spec/package.json')), 'utf8');

/** The documents of the specification at the root of the site, by name. */
const documents: Readonly<Record<string, () => Promise<string>>> = {
  'openapi.yaml': () => read('openapi.yaml'),
  'openapi.json': () => read('openapi.json'),
  'openapi-3.1.yaml': () => read('openapi-3.1.yaml'),
  'openapi-3.1.json': () => read('openapi-3.1.json'),
  'asyncapi.json': () => read('asyncapi.json'),
  'asyncapi.yaml': async () =>
    stringify(JSON.parse(await read('asyncapi.json')), { lineWidth: 0, aliasDuplicateObjects: false }),
};

export function getStaticPaths() {
  return Object.keys(documents).map((document) => ({ params: { document } }));
}

export const GET: APIRoute<Record<string, never>, { document: string }> = async ({ params }) => {
  const text = await documents[params.document]?.();
  const type = params.document.endsWith('.json') ? 'application/json' : 'application/yaml';
  return new Response(text, { headers: { 'content-type': type } });
};
