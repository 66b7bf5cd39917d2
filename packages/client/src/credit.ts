const decimal = /^([+-]?)(\d+)(?:\.(\d+))?$/;

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
  const [first, second] = [read(left), read(right)];
  const places = Math.max(first.fraction.length, second.fraction.length);
  const [one, other] = [scale(first, places), scale(second, places)];
  return one < other ? -1 : one > other ? 1 : 0;
}

interface Decimal {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

function read(value: string | bigint): Decimal {
  const [match, sign, whole = '', fraction = ''] = decimal.exec(String(value).trim()) ?? [];
  if (match === undefined)
    throw new RangeError(`not a decimal number: ${JSON.stringify(String(value).slice(0, 40))}`);
  return { negative: sign === '-', whole, fraction };
}

/** The number as an integer of its smallest unit. */
function scale({ negative, whole, fraction }: Decimal, places: number): bigint {
  const digits = BigInt(whole + fraction.padEnd(places, '0'));
  return negative ? -digits : digits;
}
