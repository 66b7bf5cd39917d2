import { createHash } from 'node:crypto';

/** Content security policy of a page, apart from its inline scripts and styles. */
const directives: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'none'"],
  // Search runs as WebAssembly; `eval` of text stays forbidden.
  'script-src': ["'self'", "'wasm-unsafe-eval'"],
  'style-src': ["'self'"],
  // Code blocks and islands set custom properties in attributes; an attribute can style one element and no more.
  'style-src-attr': ["'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'media-src': ["'self'", 'blob:'],
  'worker-src': ["'self'", 'blob:'],
  // The reader chooses the base URL of the playground: any host over TLS, or a server on this machine.
  'connect-src': [
    "'self'",
    'https:',
    'wss:',
    ...['localhost', '127.0.0.1'].flatMap((host) => [`http://${host}:*`, `ws://${host}:*`]),
  ],
  'form-action': ["'self'"],
  'base-uri': ["'none'"],
};

/** Inline code of a page, which the policy must name by its hash. */
export interface InlineCode {
  readonly scripts: ReadonlySet<string>;
  readonly styles: ReadonlySet<string>;
}

/** The inline scripts that run, and the inline styles. */
export function inlineCode(html: string): InlineCode {
  const markup = html.replaceAll(/<(script|style)\b[\s\S]*?<\/\1>/g, '');
  const tags = markup.match(/<[a-z](?:[^>"']|"[^"]*"|'[^']*')*>/gi) ?? [];
  for (const tag of tags) {
    const handler = /\s(on[a-z]+)=/i.exec(tag.replaceAll(/"[^"]*"|'[^']*'/g, ''));
    if (handler)
      throw new Error(`the attribute ${handler[1]} holds a script: a policy by hashes cannot allow it`);
  }
  const scripts = [...html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = '']) => !/\ssrc=|\stype="?(?:application|speculationrules)/.test(attributes))
    .map(([, , code = '']) => code);
  const styles = [...html.matchAll(/<style\b[^>]*>([\s\S]*?)<\/style>/g)].map(([, code = '']) => code);
  return { scripts: new Set(scripts), styles: new Set(styles) };
}

/** The policy of a page that holds this code and no other. */
export function writePolicy(
  { scripts, styles }: InlineCode,
  more: Readonly<Record<string, readonly string[]>> = {},
): string {
  const hashes: Readonly<Record<string, ReadonlySet<string>>> = {
    'script-src': scripts,
    'style-src': styles,
  };
  return Object.entries({ ...directives, ...more })
    .map(([name, sources]) => [name, ...sources, ...[...(hashes[name] ?? [])].map(hash)].join(' '))
    .join('; ');
}

/** Puts the policy of a page into it, before anything that it applies to. */
export function insertPolicy(html: string, policy: string): string {
  const tag = `<meta http-equiv="Content-Security-Policy" content="${policy}"/>`;
  const placed = html.replace(/<head>\s*<meta charset="?utf-8"?\s*\/?>/i, (start) => start + tag);
  if (placed === html)
    throw new Error('a page does not begin its head with its encoding: no place for its policy');
  return placed;
}

function hash(code: string): string {
  return `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
}
