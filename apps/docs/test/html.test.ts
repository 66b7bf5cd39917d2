import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import { readPages } from './testing/built-site.ts';

/** Validator without the rules that the theme breaks and this project cannot fix, each with its reason. */
const validator = new HtmlValidate({
  root: true,
  extends: ['html-validate:standard'],
  rules: {
    // Whitespace and the spelling of void elements are the compiler's.
    'no-trailing-whitespace': 'off',
    'void-style': 'off',
    'attribute-boolean-style': 'off',
    'attribute-empty-style': 'off',
    'no-implicit-button-type': 'off',
    'no-inline-style': 'off',
    'long-title': 'off',
    'doctype-style': 'off',
    // Code blocks of the theme are elements in `pre code`, and bring their style and script where they stand.
    'element-permitted-content': 'off',
    // The theme names landmarks and marks that need none.
    'no-redundant-role': 'off',
    'prefer-native-element': 'off',
  },
});

test('is valid HTML, on every kind of page', async () => {
  const pages = readPages();
  expect(pages.length).toBeGreaterThan(50);
  const findings = new Map<string, string[]>();
  for (const { path, html } of pages) {
    const report = await validator.validateString(html, path);
    for (const { messages } of report.results) {
      for (const { ruleId, message, line, column } of messages) {
        const kind = `${ruleId}: ${message}`;
        findings.set(kind, [...(findings.get(kind) ?? []), `${path}:${line}:${column}`]);
      }
    }
  }
  expect([...findings].map(([kind, places]) => `${kind} (${places.length}, first ${places[0]})`)).toEqual([]);
}, 120_000);
