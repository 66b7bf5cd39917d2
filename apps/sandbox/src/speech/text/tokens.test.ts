import { describe, expect, test } from 'vitest';
import { findTokens, hasTokens } from './tokens.ts';

const texts = (text: string) =>
  findTokens([...text])
    .map((token) => token.text)
    .join(' ');

describe('findTokens', () => {
  test('drops the punctuation around words and keeps what is inside them', () => {
    expect(texts('"Hello," she said — it\'s (really) $3.50, well-known & 50%…')).toBe(
      "Hello she said it's really $3.50 well-known & 50%",
    );
  });

  test('gives every Chinese character a token of its own, and words between them one', () => {
    expect(texts('我有2024台iPhone！')).toBe('我 有 2024 台 iPhone');
  });

  test('counts positions in code points', () => {
    expect(findTokens([...'👍 𝒳y'])).toMatchObject([{ start: 2, end: 4 }]);
  });

  test('finds nothing in punctuation', () => {
    expect(texts('... !? — "" …')).toBe('');
    expect(hasTokens([...'... !? — 。'])).toBe(false);
    expect(hasTokens([...'... a'])).toBe(true);
  });
});
