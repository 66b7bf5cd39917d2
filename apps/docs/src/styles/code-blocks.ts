import type { StarlightExpressiveCodeOptions } from '@astrojs/starlight/expressive-code';

/** How the theme shows blocks of code. */
export const codeBlocks: StarlightExpressiveCodeOptions = {
  themes: ['github-dark-default', 'github-light-default'],
  // A line that is too long wraps, so that no code is cut off.
  defaultProps: { wrap: true },
  // Copy gives what is shown, with its comments.
  frames: { removeCommentsWhenCopyingTerminalFrames: false },
  styleOverrides: {
    borderRadius: 'var(--radius)',
    borderColor: 'var(--line)',
    codeBackground: 'var(--surface-code)',
    codeForeground: 'var(--ink)',
    codeFontSize: 'var(--step-code)',
    codeLineHeight: '1.65',
    uiFontSize: 'var(--step--2)',
    frames: {
      shadowColor: 'transparent',
      editorTabBarBackground: 'var(--surface-code)',
      editorActiveTabBackground: 'var(--surface-code)',
      editorActiveTabIndicatorTopColor: 'transparent',
      editorTabBarBorderBottomColor: 'var(--line)',
      editorActiveTabForeground: 'var(--ink-3)',
      terminalBackground: 'var(--surface-code)',
      terminalTitlebarBackground: 'var(--surface-code)',
      terminalTitlebarBorderBottomColor: 'var(--line)',
      terminalTitlebarForeground: 'var(--ink-3)',
      terminalTitlebarDotsForeground: 'var(--line-strong)',
    },
  },
};
