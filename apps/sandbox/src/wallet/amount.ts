/** A sum of credit in billionths, so that every sum is exact. */
export type Amount = bigint;

const places = 9;
const scale = 10n ** BigInt(places);
/** Shown even when they are zero. */
const leastPlaces = 2;
/** What the database can hold: a signed integer of 64 bits. */
const largest = 2n ** 63n - 1n;

/**
 * Reads a decimal number, such as `12.345678`. No float is ever made of it.
 *
 * @throws RangeError when it is no decimal number, negative, finer than a billionth or too large to keep
 */
export function readAmount(text: string): Amount {
  const [, whole, fraction = ''] = /^(\d{1,10})(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > places) {
    throw new RangeError(`${JSON.stringify(text)} is not a decimal number of at most ${places} places.`);
  }
  const amount = BigInt(whole) * scale + BigInt(fraction.padEnd(places, '0'));
  if (amount > largest) throw new RangeError(`${text} is more credit than can be kept.`);
  return amount;
}

/** Writes an amount as a decimal number, with two places or as many more as it needs. */
export function writeAmount(amount: Amount): string {
  const digits = String(amount % scale).padStart(places, '0');
  const needed = digits.replace(/0+$/, '').padEnd(leastPlaces, '0');
  return `${amount / scale}.${needed}`;
}
