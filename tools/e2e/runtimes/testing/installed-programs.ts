import { packAll } from '@speech-api/run/packed';
import { serveArchives } from '@speech-api/run/registry';
import { afterAll, beforeAll } from 'vitest';
import { installProject } from '../../consumers/installers.ts';

const published = ['types', 'audio', 'msgpack', 'streaming', 'client', 'live'];

/** A folder with the programs in it and the packages installed as a user gets them, while the tests of a file run. */
export function useInstalledPrograms(): { readonly folder: string } {
  let folder = '';
  let removeAll = () => {};
  beforeAll(async () => {
    const packed = await packAll({ names: published });
    const registry = await serveArchives(packed.packages);
    const project = await installProject({ packages: packed.packages }, registry.url);
    folder = project.folder;
    removeAll = () => {
      registry.close();
      project.remove();
      packed.remove();
    };
  });
  afterAll(() => removeAll());
  return {
    get folder() {
      return folder;
    },
  };
}
