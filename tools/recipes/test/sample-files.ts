import { copyFileSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

// Apart from what runs samples, because the checks of their files need no server.

export const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A plain file that does one operation in one language. */
export interface Sample {
  /** Such as `createSpeech/curl.sh`: the operation and the file. */
  readonly name: string;
  readonly path: string;
}

function find(folder: string, pattern: string): Sample[] {
  return globSync(pattern, { cwd: pathOf(folder) })
    .sort()
    .map((name) => ({ name, path: pathOf(folder) + name }));
}

/** Samples of the specification, such as all `curl.sh`. */
export const findSamples = (file: string): Sample[] => find('../../../spec/samples/', `*/${file}`);
/** Examples of the guides. */
export const findGuideExamples = (): Sample[] => find('../../../apps/docs/src/examples/', '*/*.sh');

/** Copies samples into this workspace, because they import its dependencies by their names, for one test. */
export function placeSamples(samples: readonly Sample[]): string {
  const folder = pathOf(`../.temporary/${process.pid}-${performance.now()}/`);
  for (const { name, path } of samples) {
    mkdirSync(dirname(folder + name), { recursive: true });
    copyFileSync(path, folder + name);
  }
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
