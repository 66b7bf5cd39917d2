import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decode } from '../src/index.ts';

// The published cases of github.com/kawanet/msgpack-test-suite, unchanged; their licence lies beside them.
interface Case {
  readonly msgpack: readonly string[];
  readonly number?: number;
  readonly bignum?: string;
  readonly binary?: string;
  readonly timestamp?: readonly [seconds: number, nanoseconds: number];
  readonly ext?: readonly [type: number, data: string];
}

const path = new URL('msgpack-test-suite/cases.json', import.meta.url);
const suite = JSON.parse(readFileSync(path, 'utf8')) as Record<string, readonly Case[]>;

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.split('-').filter(Boolean), (pair) => Number.parseInt(pair, 16));
}

/** The JavaScript value of the case. */
function meaningOf({ msgpack: _forms, number, bignum, binary, timestamp, ext, ...other }: Case): unknown {
  if (binary !== undefined) return bytesOf(binary);
  if (timestamp) return new Date(timestamp[0] * 1000 + Math.floor(timestamp[1] / 1e6));
  if (ext) return { type: ext[0], data: bytesOf(ext[1]) };
  // Integers beyond 2^53 lose precision, as the README says.
  if (bignum !== undefined) return Number(bignum);
  return number ?? Object.values(other)[0];
}

const cases = Object.entries(suite).flatMap(([file, list]) => list.map((one) => [file, one] as const));

test('has all its cases', () => {
  expect(cases).toHaveLength(85);
});

describe('decode', () => {
  test.each(
    cases.flatMap(([file, one]) => one.msgpack.map((form) => [file, form.slice(0, 50), form, one] as const)),
  )('%s: %s', (_file, _name, form, one) => {
    const value = meaningOf(one);
    const found = decode(bytesOf(form));
    if (one.ext) expect(found).toMatchObject(value as object);
    // A Date has milliseconds, and the nanoseconds beyond them are rounded on the way.
    else if (value instanceof Date) expect(Math.abs(Number(found) - Number(value))).toBeLessThanOrEqual(1);
    else if (typeof value === 'number') expect(Number(found)).toBeCloseTo(value, 5);
    else expect(found).toEqual(value);
  });
});
