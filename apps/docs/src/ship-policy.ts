import { createHash } from 'node:crypto';
import { glob, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { siteBase } from './site-address.ts';

const scriptTags =
  /<script\b(?![^>]*(?:\ssrc=|\stype="?(?:application|speculationrules)))[^>]*>([\s\S]*?)<\/script>/g;
const styleTags = /<style\b[^>]*>([\s\S]*?)<\/style>/g;

/**
 * Gives every built page the policy that fits it, and writes `_headers`: the same for the whole site, with what only
 * a header can say, in the form that several file hosts read.
 */
export function shipPolicy(): AstroIntegration {
  return {
    name: 'ship-policy',
    hooks: {
      async 'astro:build:done'({ dir }) {
        const siteScripts = new Set<string>();
        const siteStyles = new Set<string>();
        for await (const name of glob('**/*.html', { cwd: fileURLToPath(dir) })) {
          const page = new URL(name, dir);
          const html = await readFile(page, 'utf8');
          const scripts = hashesOf(html, scriptTags);
          const styles = hashesOf(html, styleTags);
          const tag = `<meta http-equiv="Content-Security-Policy" content="${writePolicy(scripts, styles)}"/>`;
          await writeFile(
            page,
            html.replace(/<meta charset="?utf-8"?\s*\/?>/i, (encoding) => encoding + tag),
          );
          for (const hash of scripts) siteScripts.add(hash);
          for (const hash of styles) siteStyles.add(hash);
        }
        await writeFile(new URL('_headers', dir), headersFile(writePolicy(siteScripts, siteStyles)));
      },
    },
  };
}

function hashesOf(html: string, tags: RegExp): Set<string> {
  const hashes = [...html.matchAll(tags)].map(([, code = '']) =>
    createHash('sha256').update(code).digest('base64'),
  );
  return new Set(hashes.map((hash) => `'sha256-${hash}'`));
}

/** The policy of a page with the inline scripts and styles that have these hashes, and no others. */
function writePolicy(scripts: ReadonlySet<string>, styles: ReadonlySet<string>): string {
  return [
    "default-src 'none'",
    // Search runs as WebAssembly; `eval` of text stays forbidden.
    ["script-src 'self' 'wasm-unsafe-eval'", ...scripts].join(' '),
    ["style-src 'self'", ...styles].join(' '),
    // Code blocks and islands set custom properties in attributes; an attribute can style one element and no more.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "media-src 'self' blob:",
    "worker-src 'self' blob:",
    // The reader chooses the base URL of the playground: any host over TLS, or a server on this machine.
    "connect-src 'self' https: wss: http://localhost:* ws://localhost:* http://127.0.0.1:* ws://127.0.0.1:*",
    "form-action 'self'",
    "base-uri 'none'",
  ].join('; ');
}

function headersFile(policy: string): string {
  return `${siteBase}*
  Content-Security-Policy: ${policy}; frame-ancestors 'none'
  X-Content-Type-Options: nosniff
  Referrer-Policy: no-referrer
  Cross-Origin-Opener-Policy: same-origin
  Permissions-Policy: camera=(), geolocation=(), microphone=()
${siteBase}_astro/*
  Cache-Control: public, max-age=31536000, immutable
`;
}
