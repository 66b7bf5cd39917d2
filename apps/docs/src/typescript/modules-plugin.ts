import type { AstroIntegration } from 'astro';
import { readModules } from './read-modules.ts';

const name = 'virtual:typescript-modules';

/** Gives pages the exported symbols of packages as `virtual:typescript-modules`, read once a build. */
export function typescriptModules(packages: readonly string[]): AstroIntegration {
  let code: string | undefined;
  return {
    name: 'typescript-modules',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        updateConfig({
          vite: {
            plugins: [
              {
                name: 'typescript-modules',
                resolveId: (id) => (id === name ? `\0${name}` : undefined),
                load: (id) => {
                  if (id !== `\0${name}`) return undefined;
                  code ??= `export const modules = ${JSON.stringify(readModules(packages))};`;
                  return code;
                },
              },
            ],
          },
        });
      },
    },
  };
}
