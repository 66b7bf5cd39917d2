import { readFileSync } from 'node:fs';
import { asObject, asText, readBuiltText, readOpenApi } from '@speech-api/spec/read';
import type { APIRoute } from 'astro';
import sharp from 'sharp';
import { stringify } from 'yaml';
import card from '../assets/card.svg?raw';
import { defaultSandboxUrl } from '../playground/connection/fields.ts';
import { siteAddress, siteBase } from '../site-address.ts';

/** Address of the site with a slash at its end, once it has one. */
const home = siteAddress && new URL(siteBase, siteAddress).href;

/** What a coding agent should know, as it is packed with a package. */
const skillOf = (name: 'client' | 'contract'): string =>
  readFileSync(
    new URL(`skills/speech-api-${name}/SKILL.md`, import.meta.resolve(`@speech-api/${name}/package.json`)),
    'utf8',
  );

type Contents = string | Uint8Array<ArrayBuffer>;

/** Files that the site serves beside its pages, by their address below its root. */
const files: Readonly<Record<string, () => Contents | Promise<Contents>>> = {
  'openapi.yaml': () => readDocument('openapi.yaml'),
  'openapi.json': () => readDocument('openapi.json'),
  'openapi-3.1.yaml': () => readDocument('openapi-3.1.yaml'),
  'openapi-3.1.json': () => readDocument('openapi-3.1.json'),
  'asyncapi.json': () => readBuiltText('asyncapi.json'),
  'asyncapi.yaml': () =>
    stringify(JSON.parse(readBuiltText('asyncapi.json')), { lineWidth: 0, aliasDuplicateObjects: false }),
  ...exampleAudio(),
  'card.png': async () => new Uint8Array(await sharp(Buffer.from(card)).png({ palette: true }).toBuffer()),
  'skills/speech-api-client.md': () => skillOf('client'),
  'skills/speech-api-contract.md': () => skillOf('contract'),
  'robots.txt': robots,
  // No server was started beside a built site; `npm start` answers this address itself.
  'sandbox.json': () => JSON.stringify(import.meta.env.DEV ? { baseUrl: defaultSandboxUrl } : {}),
};

/** A document of the specification, which names this site once it has an address. */
function readDocument(name: string): string {
  const text = readBuiltText(name);
  const placeholder = readOpenApi().stringAt('/externalDocs/url');
  return home === undefined ? text : text.replaceAll(placeholder, home.replace(/\/$/, ''));
}

function robots(): string {
  const map = home === undefined ? '' : `\nSitemap: ${home}sitemap-index.xml\n`;
  return `User-agent: *\nAllow: /\n${map}`;
}

/** Audio files that the examples refer to, as in the specification package. */
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

export function getStaticPaths() {
  return Object.keys(files).map((file) => ({ params: { file } }));
}

export const GET: APIRoute<Record<string, never>, { file: string }> = async ({ params }) =>
  new Response(await files[params.file]?.());
