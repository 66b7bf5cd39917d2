import type { AstroIntegration } from 'astro';
import { readModules } from './read-modules.ts';

/**
 * The published packages with something to import, those that most readers import first.
 * `DOCS_QUICK` leaves their pages out, for a look at anything else.
 */
export const packages: readonly string[] =
  process.env.DOCS_QUICK === undefined
    ? [
        '@speech-api/client',
        '@speech-api/live',
        '@speech-api/recordings',
        '@speech-api/streaming',
        '@speech-api/audio',
        '@speech-api/msgpack',
        '@speech-api/ai-sdk',
        '@speech-api/relay',
        '@speech-api/mock',
        '@speech-api/contract',
        '@speech-api/sandbox',
        '@speech-api/server',
        '@speech-api/types',
      ]
    : [];

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
