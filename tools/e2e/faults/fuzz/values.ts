import type { Choices } from './choices.ts';

const oddStrings = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\ufeff',
  '../../../etc/passwd',
  '__proto__',
  '<|speaker:0|>',
  '<|speaker:99999999999999999999|>',
  '[laugh](sigh)',
  '你好，世界。',
  '👩‍👩‍👧‍👦'.repeat(20),
  'a'.repeat(5000),
  '1'.repeat(400),
  '%s%n%00',
  "'; DROP TABLE models; --",
  'NaN',
];
const oddNumbers = [
  0,
  -0,
  -1,
  1,
  2,
  0.1,
  1e-320,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  8000,
  44_100,
  48_000,
  -1000,
  64,
  100,
  300,
];

/** A value that nobody would send. */
export function oddValue(choices: Choices, depth = 0): unknown {
  const kind = choices.below(depth > 3 ? 5 : 8);
  if (kind === 0) return null;
  if (kind === 1) return choices.chance(0.5);
  if (kind === 2) return choices.of(oddNumbers);
  if (kind <= 4) return choices.of(oddStrings);
  if (kind === 5) return nested(choices.below(200));
  const values = Array.from({ length: choices.below(4) }, () => oddValue(choices, depth + 1));
  if (kind === 6) return values;
  return Object.fromEntries(values.map((value) => [choices.of(oddStrings), value]));
}

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

/** A good value with something wrong in it: fields changed, left out, or added. */
export function spoil(
  good: Readonly<Record<string, unknown>>,
  choices: Choices,
  fields: readonly string[],
): Record<string, unknown> {
  const spoilt: Record<string, unknown> = { ...good };
  const changes = choices.below(4);
  for (let change = 0; change < changes; change += 1) {
    const field = choices.chance(0.9) ? choices.of(fields) : choices.of(oddStrings);
    if (choices.chance(0.2)) delete spoilt[field];
    else
      Object.defineProperty(spoilt, field, {
        value: oddValue(choices),
        enumerable: true,
        configurable: true,
      });
  }
  return spoilt;
}

/** Bytes with some of them flipped, cut out, doubled or replaced. */
export function spoilBytes(good: Uint8Array, choices: Choices): Buffer {
  let bytes = Buffer.from(good);
  for (let change = choices.below(4); change > 0; change -= 1) {
    const at = choices.below(bytes.length + 1);
    const kind = choices.below(4);
    if (kind === 0) bytes = bytes.subarray(0, at);
    else if (kind === 1)
      bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + choices.below(8))]);
    else if (kind === 2)
      bytes = Buffer.concat([bytes.subarray(0, at), choices.bytes(choices.below(16)), bytes.subarray(at)]);
    else if (at < bytes.length) bytes[at] = choices.below(256);
  }
  return bytes;
}
