import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

const languages: Record<string, { lang: string; label: string; order: number }> = {
  'typescript.ts': { lang: 'ts', label: 'TypeScript', order: 0 },
  'curl.sh': { lang: 'sh', label: 'curl', order: 1 },
};

const methods = new Set(['get', 'put', 'post', 'delete', 'patch']);

/**
 * Puts the samples of each operation (`<directory>/<operationId>/curl.sh`, `typescript.ts`) into the document
 * as `x-codeSamples`. Operations without a sample keep the generated one.
 */
export async function addCodeSamples(document: unknown, directory: string): Promise<void> {
  const paths = (document as { paths?: Record<string, Record<string, unknown>> }).paths ?? {};
  for (const pathItem of Object.values(paths)) {
    for (const [method, operation] of Object.entries(pathItem)) {
      if (!methods.has(method)) continue;
      const described = operation as { operationId?: string; 'x-codeSamples'?: CodeSample[] };
      if (described.operationId === undefined) continue;
      const samples = await readSamples(join(directory, described.operationId));
      if (samples.length > 0) described['x-codeSamples'] = samples;
    }
  }
}

async function readSamples(directory: string): Promise<CodeSample[]> {
  const names = await readdir(directory).catch(() => []);
  const known = names.flatMap((name) => {
    const language = languages[name];
    return language === undefined ? [] : [{ name, language }];
  });
  known.sort((left, right) => left.language.order - right.language.order);
  return Promise.all(
    known.map(async ({ name, language }) => ({
      lang: language.lang,
      label: language.label,
      source: withoutHeader(await readFile(join(directory, name), 'utf8')),
    })),
  );
}

/** The interpreter line and the shell's safety settings are for running the file, not for reading it. */
function withoutHeader(source: string): string {
  return source
    .replace(/^#!.*\n/, '')
    .replace(/^set -.*\n/m, '')
    .trim();
}
