import { copyFileSync, existsSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../../apps/docs/src/examples/', import.meta.url));

/** A plain file that a guide shows: `<guide>/<name>.<kind>`. */
export interface GuideExample {
  readonly name: string;
  readonly kind: 'node' | 'browser' | 'worker';
  readonly path: string;
  /** Output according to the guide; undefined if the guide does not show any. */
  readonly output: string | undefined;
}

export function guideExamples(): GuideExample[] {
  return globSync('*/*.{node,browser,worker}.ts', { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()
    .map((file) => {
      const [, name = '', kind] = /^(.+)\.(node|browser|worker)\.ts$/.exec(file) ?? [];
      const output = `${folder}${name}.output.txt`;
      return {
        name,
        kind: kind as GuideExample['kind'],
        path: folder + file,
        output: kind === 'node' && existsSync(output) ? output : undefined,
      };
    });
}

// Inside this workspace, because the examples import its dependencies by their names.
const temporary = fileURLToPath(new URL('../../.temporary/', import.meta.url));

/** Copies the examples where they can be compiled and run, each into a folder of its own. */
export function placeExamples(
  run: string,
  examples: readonly GuideExample[],
): { directory: string; placed: (GuideExample & { cwd: string; file: string })[] } {
  const directory = `${temporary}${run}/`;
  rmSync(directory, { recursive: true, force: true });
  const placed = examples.map((example) => {
    const cwd = `${directory}${example.name.replaceAll('/', '-')}-${example.kind}/`;
    mkdirSync(cwd, { recursive: true });
    copyFileSync(example.path, `${cwd}example.ts`);
    return { ...example, cwd, file: `${cwd}example.ts` };
  });
  const lib = ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'];
  const settings = {
    extends: '../../tsconfig.json',
    compilerOptions: { noEmit: true, lib },
    include: ['*/*.ts'],
  };
  writeFileSync(`${directory}tsconfig.json`, JSON.stringify(settings));
  writeFileSync(`${directory}package.json`, '{ "type": "module", "private": true }');
  return { directory, placed };
}

export function removeExamples(run: string): void {
  rmSync(temporary + run, { recursive: true, force: true });
}
