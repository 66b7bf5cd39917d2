import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A published package with something to import, and the declarations of its entry points by their page. */
export interface PackageEntries {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly entries: readonly { readonly specifier: string; readonly slug: string; readonly file: string }[];
}

/** The packages in the order in which most readers import them; the reference describes `@speech-api/types`. */
export const packages: readonly PackageEntries[] = [
  'client',
  'live',
  'recordings',
  'streaming',
  'audio',
  'msgpack',
  'ai-sdk',
  'relay',
  'mock',
  'contract',
  'sandbox',
].map(readPackage);

interface Manifest {
  readonly name: string;
  readonly description: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

function readPackage(slug: string): PackageEntries {
  const file = fileURLToPath(import.meta.resolve(`@speech-api/${slug}/package.json`));
  const { name, description, exports }: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  const entries = Object.entries(exports).flatMap(([path, target]) => {
    // Workers and audio threads export nothing; two other entries are for our own packages.
    if (typeof target === 'string' || /\/(?:worker|worklet|api-error|browser)$/.test(path)) return [];
    const declarations = fileURLToPath(new URL(target.types, `file://${file}`));
    return [{ specifier: `${name}${path.slice(1)}`, slug: `${slug}${path.slice(1)}`, file: declarations }];
  });
  return { name, slug, description, entries };
}
