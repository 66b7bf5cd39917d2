const decimal = /^[+-]?\d+(?:\.(\d+))?$/;

/**
 * Compares two amounts of credit exactly, by their digits: -1 when `left` is less than `right`, 0 when they are
 * equal, 1 when it is more. No float is made, which would call `0.1` and `0.10000000000000000001` the same.
 *
 * @param left - A decimal number in a string, as `getApiCredit()` gives it, or an integer.
 * @param right - What it is compared with.
 *
 * @throws `RangeError` for anything but a decimal number, such as `1e3` or an empty string.
 *
 * @example
 * ```ts
 * import { compareCredit, createSpeechClient } from '@speech-api/client';
 *
 * const { credit } = await createSpeechClient().wallet.getApiCredit();
 * if (compareCredit(credit, '0.50') < 0) console.log('less than half a unit is left');
 * ```
 */
export function compareCredit(left: string | bigint, right: string | bigint): -1 | 0 | 1 {
  const places = Math.max(placesOf(left), placesOf(right));
  const [one, other] = [scaled(left, places), scaled(right, places)];
  return one < other ? -1 : one > other ? 1 : 0;
}

function placesOf(value: string | bigint): number {
  const [match, places = ''] = decimal.exec(String(value).trim()) ?? [];
  if (match !== undefined) return places.length;
  throw new RangeError(`not a decimal number: ${JSON.stringify(String(value).slice(0, 40))}`);
}

/** The number as an integer of its smallest unit. */
function scaled(value: string | bigint, places: number): bigint {
  const [whole = '', fraction = ''] = String(value).trim().split('.');
  return BigInt(whole + fraction.padEnd(places, '0'));
}
