import { describe, expect, test } from 'vitest';
import { inlineCode, insertPolicy, writePolicy } from './content-security-policy.ts';

const page =
  '<!DOCTYPE html><html><head><meta charset="utf-8"/><style>a{}</style>' +
  '<script src="/x.js"></script><script>go()</script>' +
  '<script type="module">import "/y.js"</script><script type="application/ld+json">{}</script></head><body></body></html>';

describe('the policy of a page', () => {
  test('names each inline script and style of the page, and no others', () => {
    expect(inlineCode(page)).toEqual({
      scripts: new Set(['go()', 'import "/y.js"']),
      styles: new Set(['a{}']),
    });
    const policy = writePolicy(inlineCode(page));
    // printf 'go()' | openssl dgst -sha256 -binary | base64
    expect(policy).toContain("'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='");
    expect(policy.match(/'sha256-/g)).toHaveLength(3);
  });

  test('allows no script that is not from the site or named', () => {
    const script = /script-src ([^;]*)/.exec(writePolicy(inlineCode('')))?.[1];
    expect(script).toBe("'self' 'wasm-unsafe-eval'");
  });

  test('comes before everything that it applies to', () => {
    expect(insertPolicy(page, "default-src 'none'")).toMatch(
      /^<!DOCTYPE html><html><head><meta charset="utf-8"\/><meta http-equiv="Content-Security-Policy" content="default-src 'none'"\/><style>/,
    );
    expect(() => insertPolicy('<html><head><title>x</title></head></html>', '')).toThrow(/encoding/);
  });

  test('is refused for a page with a script in an attribute, which no hash can name', () => {
    expect(() => inlineCode('<body><a onclick="go()">x</a></body>')).toThrow(/onclick/);
    expect(inlineCode('<script>const a = "<a onclick=\'x\'>"</script>').scripts.size).toBe(1);
    expect(inlineCode('<button data-code="<a onclick=go>">x</button>').scripts.size).toBe(0);
  });
});
