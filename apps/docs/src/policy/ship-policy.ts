import { glob, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { type InlineCode, inlineCode, insertPolicy, writePolicy } from './content-security-policy.ts';

/**
 * Gives every built page the policy that fits it, and writes `_headers`: the same for the whole site, with what only
 * a header can say, in the form that several file hosts read.
 */
export function shipPolicy(): AstroIntegration {
  let base = '/';
  return {
    name: 'ship-policy',
    hooks: {
      'astro:config:done'({ config }) {
        base = config.base.replace(/\/*$/, '/');
      },
      async 'astro:build:done'({ dir, logger }) {
        const directory = fileURLToPath(dir);
        const all = { scripts: new Set<string>(), styles: new Set<string>() };
        let pages = 0;
        for await (const name of glob('**/*.html', { cwd: directory })) {
          const html = await readFile(directory + name, 'utf8');
          const code = inlineCode(html);
          await writeFile(directory + name, insertPolicy(html, writePolicy(code)));
          for (const script of code.scripts) all.scripts.add(script);
          for (const style of code.styles) all.styles.add(style);
          pages += 1;
        }
        await writeFile(`${directory}_headers`, headersFile(base, all));
        logger.info(`${pages} pages, ${all.scripts.size} scripts and ${all.styles.size} styles by hash`);
      },
    },
  };
}

function headersFile(base: string, all: InlineCode): string {
  const headers = {
    'Content-Security-Policy': writePolicy(all, { 'frame-ancestors': ["'none'"] }),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(self)',
  };
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`);
  return [
    `${base}*`,
    ...lines,
    `${base}_astro/*`,
    '  Cache-Control: public, max-age=31536000, immutable',
    '',
  ].join('\n');
}
