import type { StarlightPlugin } from '@astrojs/starlight/types';
import { codeTheme } from './styles/code-themes.ts';

/** Theme settings made by a plugin: the style of code blocks and the visible section of the list of pages. */
export function sitePlugin(): StarlightPlugin {
  return {
    name: 'site',
    hooks: {
      'config:setup'({ addRouteMiddleware, updateConfig }) {
        addRouteMiddleware({ entrypoint: './src/navigation/show-section.ts', order: 'post' });
        updateConfig({
          expressiveCode: {
            themes: [codeTheme('dark'), codeTheme('light')],
            // A line that is too long wraps, so that no code is cut off.
            defaultProps: { wrap: true },
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
          },
        });
      },
    },
  };
}
