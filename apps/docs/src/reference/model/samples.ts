import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sample } from './page-model.ts';

const languages: Readonly<Record<string, { language: string; label: string; order: number }>> = {
  'typescript.ts': { language: 'ts', label: 'TypeScript', order: 0 },
  'curl.sh': { language: 'sh', label: 'curl', order: 1 },
};

/** The samples in the folder of an operation: plain files, which the tests of the repository run. */
export async function readSamples(directory: string): Promise<readonly Sample[]> {
  const names = await readdir(directory).catch(() => []);
  const known = names.flatMap((file) => {
    const language = languages[file];
    return language === undefined ? [] : [{ file, ...language }];
  });
  known.sort((left, right) => left.order - right.order);
  return Promise.all(
    known.map(async ({ file, language, label }) => ({
      label,
      language,
      file,
      code: withoutHeader(await readFile(join(directory, file), 'utf8')),
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
