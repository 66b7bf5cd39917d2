import { rmSync } from 'node:fs';
import { type Surroundings, sharedTools } from './consumers.ts';
import { installProject, type Project, packAll } from './project.ts';

/** Packs everything once. The shared project is installed when the first consumer asks for it. */
export async function surround(
  url: string,
): Promise<{ readonly surroundings: Surroundings; close(): Promise<void> }> {
  const { folder, packages } = await packAll();
  let project: Promise<Project> | undefined;
  const shared = () => {
    project ??= installProject({ packages, others: sharedTools });
    return project;
  };
  return {
    surroundings: { packages, url, shared },
    close: async () => {
      (await project?.catch(() => undefined))?.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
