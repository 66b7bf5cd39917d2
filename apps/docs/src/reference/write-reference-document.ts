import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addCodeSamples } from './add-code-samples.ts';
import { markProvenance } from './mark-provenance.ts';

/**
 * Prepares the 3.1 document for the generator of the reference pages and writes it beside Astro's other working
 * files.
 * `DOCS_OPENAPI` names another document, for a look at a change before it is in the specification.
 *
 * @returns the path of the file written
 */
export async function writeReferenceDocument(root: string): Promise<string> {
  const source =
    process.env.DOCS_OPENAPI ?? fileURLToPath(import.meta.resolve('@speech-api/spec/openapi-3.1.json'));
  const base = (process.env.DOCS_BASE ?? '/').replace(/\/*$/, '/');
  const document = markProvenance(JSON.parse(await readFile(source, 'utf8')), `${base}unknowns/`);
  const specification = dirname(fileURLToPath(import.meta.resolve('@speech-api/spec/package.json')));
  await addCodeSamples(document, join(specification, 'samples'));

  const target = join(root, '.astro', 'reference', 'openapi.json');
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, JSON.stringify(document));
  return target;
}
