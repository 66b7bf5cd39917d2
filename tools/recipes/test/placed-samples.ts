import { copyFileSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A language of samples. */
export type Language = keyof typeof files;

/** One sample: a plain file that does one operation in one language. */
export interface Sample {
  readonly operationId: string;
  readonly language: Language;
  /** Path of the file. */
  readonly path: string;
}

const folder = fileURLToPath(new URL('../../../spec/samples/', import.meta.url));
/** The file of each language. */
export const files = { curl: 'curl.sh', typescript: 'typescript.ts', python: 'python.py' } as const;

/** Each language that samples are written in. */
export const languages: readonly Language[] = ['curl', 'typescript', 'python'];

/** Every sample of the specification, by operation. */
export function findSamples(): Sample[] {
  const operations = globSync('*/', { cwd: folder }).map((name) => name.replace(/[/\\]$/, ''));
  return operations
    .sort()
    .flatMap((operationId) =>
      languages
        .map((language) => ({ operationId, language, path: `${folder}${operationId}/${files[language]}` }))
        .filter(({ path }) => existsSync(path)),
    );
}

// Inside this workspace, because the samples import its dependencies by their names.
const temporary = fileURLToPath(new URL('../.temporary/', import.meta.url));

/** A folder of its own for each sample, with the sample in it; the folder is where it is to be run. */
export function placeSamples(
  run: string,
  samples: readonly Sample[],
): { sample: Sample; cwd: string; file: string }[] {
  removeSamples(run);
  return samples.map((sample) => {
    const cwd = `${temporary}${run}/${sample.operationId}-${sample.language}/`;
    const file = files[sample.language];
    mkdirSync(cwd, { recursive: true });
    copyFileSync(sample.path, cwd + file);
    return { sample, cwd, file };
  });
}

/** Lets the compiler see all the samples that were placed; returns the folder of its configuration. */
export function writeCompilerSettings(run: string): string {
  const lib = ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'];
  const settings = { extends: '../../tsconfig.json', compilerOptions: { lib }, include: ['*/*.ts'] };
  writeFileSync(`${temporary}${run}/tsconfig.json`, JSON.stringify(settings));
  return temporary + run;
}

export function removeSamples(run: string): void {
  rmSync(temporary + run, { recursive: true, force: true });
}
