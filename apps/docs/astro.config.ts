import starlight from '@astrojs/starlight';
import { defineConfig, fontProviders, passthroughImageService } from 'astro/config';
import { engineFiles } from './src/embedded/engine-files.ts';
import { sections } from './src/navigation/sections.ts';
import { ranking } from './src/search/ranking.ts';
import { shipPolicy } from './src/ship-policy.ts';
import { editAddress, hasHistory, siteAddress, siteBase } from './src/site-address.ts';
import { siteTexts } from './src/texts/site-texts.ts';
import { typeScriptPages } from './src/typescript/typedoc.ts';

// Also where a build is started without the repository's runner, nothing phones home.
process.env.ASTRO_TELEMETRY_DISABLED = '1';

/** A font that ships with the site: nothing is ever loaded from another origin. */
function packagedFont(family: string, name: string, cssVariable: string, fallbacks: string[]) {
  const file = `@fontsource-variable/${family}/files/${family}-latin-wght-normal.woff2`;
  return {
    provider: fontProviders.local(),
    name,
    cssVariable,
    fallbacks,
    options: {
      variants: [
        {
          src: [new URL(import.meta.resolve(file))] as [URL],
          // A font that arrives too late for the first page is not swapped in; the next page has it.
          display: 'optional' as const,
        },
      ] as const,
    },
  };
}

const title = 'Speech API';
const description = 'Text in, speech out: a specification, a typed client and a sandbox that really speaks.';

export default defineConfig({
  ...(siteAddress === undefined ? {} : { site: siteAddress.origin }),
  base: siteBase,
  trailingSlash: 'always',
  devToolbar: { enabled: false },
  image: { service: passthroughImageService() },
  fonts: [
    packagedFont('instrument-sans', 'Instrument Sans', '--font-sans', ['sans-serif']),
    packagedFont('newsreader', 'Newsreader', '--font-serif', ['serif']),
  ],
  vite: {
    build: {
      // The audio thread is a file: the policy of the pages refuses code in an address.
      assetsInlineLimit: (file) => (file.endsWith('/worklet.js') ? false : undefined),
      rolldownOptions: {
        // Astro marks its MDX modules with a directive of its own; the bundler's warning about it says nothing to us.
        onLog(level, log, report) {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
        },
      },
    },
  },
  integrations: [
    starlight({
      title,
      description,
      favicon: '/favicon.svg',
      logo: { src: './src/assets/mark.svg', alt: '' },
      credits: false,
      customCss: [
        './src/styles/tokens.css',
        './src/styles/starlight.css',
        './src/styles/prose.css',
        './src/styles/reference/operation.css',
        './src/styles/reference/lists.css',
        './src/styles/reference/sources.css',
      ],
      lastUpdated: hasHistory(),
      ...(editAddress === undefined ? {} : { editLink: { baseUrl: editAddress } }),
      components: {
        Head: './src/components/Head.astro',
        Hero: './src/components/Hero.astro',
        Header: './src/components/Header.astro',
        MarkdownContent: './src/components/MarkdownContent.astro',
        PageTitle: './src/components/PageTitle.astro',
        Sidebar: './src/components/Sidebar.astro',
      },
      pagefind: { ranking },
      sidebar: sections.map(({ label, items }) => ({ label, items: [...items] })),
      routeMiddleware: './src/navigation/show-section.ts',
      plugins: [typeScriptPages()],
    }),
    siteTexts(title, description),
    engineFiles(),
    shipPolicy(),
  ],
});
