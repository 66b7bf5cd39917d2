import { defineEcConfig } from '@astrojs/starlight/expressive-code';

/** Settings of the code blocks that cannot be written as JSON; the others are in `src/site-plugin.ts`. */
export default defineEcConfig({
  plugins: [
    {
      name: 'outside-search',
      hooks: {
        // The search shows sentences, not code.
        postprocessRenderedBlock: ({ renderData }) => {
          renderData.blockAst.properties.dataPagefindIgnore = '';
        },
      },
    },
  ],
});
