import { readFileSync } from 'node:fs';
import { asObject, asText, readBuiltText, readOpenApi } from '@speech-api/spec/read';
import transcripts from '@speech-api/spec/transcripts.json';
import type { APIRoute } from 'astro';
import { stringify } from 'yaml';

/** Files of the specification that the site serves, by their address below its root. */
const files: Readonly<Record<string, () => string | Uint8Array<ArrayBuffer>>> = {
  'openapi.yaml': () => readBuiltText('openapi.yaml'),
  'openapi.json': () => readBuiltText('openapi.json'),
  'openapi-3.1.yaml': () => readBuiltText('openapi-3.1.yaml'),
  'openapi-3.1.json': () => readBuiltText('openapi-3.1.json'),
  'asyncapi.json': () => readBuiltText('asyncapi.json'),
  'asyncapi.yaml': () =>
    stringify(JSON.parse(readBuiltText('asyncapi.json')), { lineWidth: 0, aliasDuplicateObjects: false }),
  ...exampleAudio(),
  ...recordedStreams(),
};

/** What the examples of audio point to, as in the package of the specification. */
function exampleAudio(): typeof files {
  const examples = Object.values(readOpenApi().objectAt('/components/examples'));
  return Object.fromEntries(
    examples.flatMap((example) => {
      const name = asText(asObject(example)['x-file']);
      if (!name?.startsWith('audio/')) return [];
      const address = new URL(import.meta.resolve(`@speech-api/spec/${name}`));
      return [[name, () => new Uint8Array(readFileSync(address))]];
    }),
  );
}

/** The recorded streams, as the stream lab replays them. */
function recordedStreams(): typeof files {
  return Object.fromEntries(
    Object.entries(transcripts as Record<string, readonly unknown[]>).map(([name, lines]) => [
      `transcripts/${name}.jsonl`,
      () => lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    ]),
  );
}

export function getStaticPaths() {
  return Object.keys(files).map((file) => ({ params: { file } }));
}

/** What the development server says that a file is; a host goes by the ending. */
function mediaTypeOf(file: string): string {
  if (file.endsWith('.json')) return 'application/json';
  if (file.endsWith('.yaml')) return 'application/yaml';
  return file.endsWith('.jsonl') ? 'application/jsonl' : 'application/octet-stream';
}

export const GET: APIRoute<Record<string, never>, { file: string }> = async ({ params }) =>
  new Response(files[params.file]?.(), { headers: { 'content-type': mediaTypeOf(params.file) } });
