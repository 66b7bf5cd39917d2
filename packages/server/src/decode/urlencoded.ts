import { malformed } from './failure.ts';
import type { FormEntry } from './form.ts';
import { type DecodeLimits, defaultDecodeLimits } from './limits.ts';

/**
 * Decodes an `application/x-www-form-urlencoded` body, or the query of a URL.
 *
 * @param from `body` or `query`: where a failure is said to be
 * @throws {@link DecodeFailure} for a broken percent sequence, naming the field
 */
export function decodeUrlEncoded(
  text: string,
  limits: DecodeLimits = defaultDecodeLimits,
  from: 'body' | 'query' = 'body',
): FormEntry[] {
  const pairs = text === '' ? [] : text.split('&', limits.formParts + 1);
  if (pairs.length > limits.formParts) {
    throw malformed('urlencoded_invalid', `The ${from} has more than ${limits.formParts} fields.`);
  }
  for (const pair of pairs) {
    // URLSearchParams passes broken sequences through; a faithful decoder must not guess what was meant.
    try {
      decodeURIComponent(pair);
    } catch {
      const name = pair.split('=')[0] ?? '';
      throw malformed('urlencoded_invalid', `The ${from} has a broken percent sequence in \`${name}\`.`, [
        name,
      ]);
    }
  }
  return [...new URLSearchParams(text)].map(([name, value]) => ({ name, value }));
}
