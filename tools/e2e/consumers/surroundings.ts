import { packAll } from '@speech-api/run/packed';
import { serveArchives } from '@speech-api/run/registry';
import { compilers, type Surroundings } from './consumer.ts';
import { installProject, type Project } from './project.ts';

/** The tools of the shared project. */
const sharedTools = {
  '@types/node': '^24.0.0',
  '@swc/core': '^1.0.0',
  '@swc/jest': '^0.2.0',
  ai: '^7.0.0',
  esbuild: '^0.28.0',
  jest: '^30.0.0',
  ...Object.fromEntries(compilers),
  vite: '^8.0.0',
  vitest: '^5.0.0',
  webpack: '^5.100.0',
};

/** Packs everything once, and serves it from a registry. The shared project is installed when the first consumer asks for it. */
export async function surround(
  url: string,
): Promise<{ readonly surroundings: Surroundings; close(): Promise<void> }> {
  const { packages, remove } = await packAll();
  const registry = await serveArchives(packages);
  const install: Surroundings['install'] = (options) =>
    installProject({ ...options, registry: registry.url });
  let project: Promise<Project> | undefined;
  const shared = () => {
    project ??= install({ packages, others: sharedTools });
    return project;
  };
  return {
    surroundings: { packages, url, install, shared },
    close: async () => {
      registry.close();
      (await project?.catch(() => undefined))?.remove();
      remove();
    },
  };
}
