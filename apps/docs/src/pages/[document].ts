import { readBuiltText } from '@speech-api/spec/read';
import type { APIRoute } from 'astro';
import { stringify } from 'yaml';

/** The documents of the specification at the root of the site, by name. */
const documents: Readonly<Record<string, () => string>> = {
  'openapi.yaml': () => readBuiltText('openapi.yaml'),
  'openapi.json': () => readBuiltText('openapi.json'),
  'openapi-3.1.yaml': () => readBuiltText('openapi-3.1.yaml'),
  'openapi-3.1.json': () => readBuiltText('openapi-3.1.json'),
  'asyncapi.json': () => readBuiltText('asyncapi.json'),
  'asyncapi.yaml': () =>
    stringify(JSON.parse(readBuiltText('asyncapi.json')), { lineWidth: 0, aliasDuplicateObjects: false }),
};

export function getStaticPaths() {
  return Object.keys(documents).map((document) => ({ params: { document } }));
}

export const GET: APIRoute<Record<string, never>, { document: string }> = async ({ params }) => {
  const text = documents[params.document]?.();
  const type = params.document.endsWith('.json') ? 'application/json' : 'application/yaml';
  return new Response(text, { headers: { 'content-type': type } });
};
