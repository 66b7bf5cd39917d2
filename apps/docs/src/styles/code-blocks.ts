import { readFileSync } from 'node:fs';
import type { StarlightExpressiveCodeOptions } from '@astrojs/starlight/expressive-code';

const tokens = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** Which scopes of a grammar take which colour of the tokens. What is not named stays ink. */
const colours: Readonly<Record<string, readonly string[]>> = {
  'syntax-comment': ['comment', 'punctuation.definition.comment'],
  'syntax-string': ['string', 'punctuation.definition.string', 'markup.inline.raw', 'entity.name.tag.yaml'],
  'syntax-keyword': ['keyword', 'storage', 'keyword.operator.new', 'constant.language'],
  'syntax-number': ['constant.numeric', 'constant.character.escape', 'variable.other.enummember'],
  'syntax-name': [
    'entity.name.function',
    'support.function',
    'entity.name.type',
    'support.type.property-name',
  ],
  ink: [
    'keyword.operator',
    'punctuation',
    'variable',
    'meta.brace',
    'string.unquoted',
    'storage.type.function.arrow',
  ],
};

/** The theme of code in one colour scheme, made of the same tokens as everything else. */
function codeTheme(scheme: 'light' | 'dark') {
  return {
    name: `site-${scheme}`,
    type: scheme,
    colors: {
      'editor.background': colour(scheme, 'surface-code'),
      'editor.foreground': colour(scheme, 'ink'),
    },
    settings: Object.entries(colours).map(([token, scope]) => ({
      scope: [...scope],
      settings: { foreground: colour(scheme, token) },
    })),
  };
}

function colour(scheme: 'light' | 'dark', token: string): string {
  const [, light, dark] = new RegExp(`--${token}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens) ?? [];
  const value = scheme === 'light' ? light : dark;
  if (value === undefined) throw new Error(`tokens.css has no colour --${token} for ${scheme}`);
  return value;
}

/** How the theme shows blocks of code. */
export const codeBlocks: StarlightExpressiveCodeOptions = {
  themes: [codeTheme('dark'), codeTheme('light')],
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
