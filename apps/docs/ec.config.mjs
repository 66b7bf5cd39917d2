import { defineEcConfig } from '@astrojs/starlight/expressive-code';

/** How blocks of code look. */
export default defineEcConfig({
  themes: ['github-dark-default', 'github-light-default'],
  useStarlightUiThemeColors: true,
  // A line that is too long wraps, so that no code is cut off.
  defaultProps: { wrap: true },
  // Copy gives what is shown, with its comments.
  frames: { removeCommentsWhenCopyingTerminalFrames: false },
  styleOverrides: {
    borderRadius: 'var(--radius)',
    codeBackground: 'var(--surface-code)',
    codeFontSize: 'var(--step-code)',
    frames: { shadowColor: 'transparent' },
  },
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
