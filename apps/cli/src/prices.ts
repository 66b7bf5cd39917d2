import { UsageError } from './usage.ts';

/** What the user pays, by what is counted: `prices` of the configuration file. The interface names no prices. */
export interface Prices {
  readonly currency?: string;
  readonly speak?: Rates;
  readonly transcribe?: Rates;
}

const units = ['million_characters', 'million_bytes', 'hour', 'request'] as const;
type Rates = { readonly [Unit in (typeof units)[number]]?: number };

/** What one job is, in everything that can have a price. */
interface Quantities {
  readonly characters?: number;
  readonly bytes?: number;
  readonly seconds: number;
  readonly requests: number;
}

/** The estimated cost, for `--json` and for people; nothing without a price. */
export function describeCost(
  prices: Prices,
  kind: 'speak' | 'transcribe',
  { characters = 0, bytes = 0, seconds, requests }: Quantities,
): { readonly json: object; readonly words: string } {
  const rates = prices[kind];
  if (rates === undefined) return { json: {}, words: '' };
  const counted = { million_characters: characters / 1e6, million_bytes: bytes / 1e6, hour: seconds / 3600 };
  const cost = units.reduce(
    (sum, unit) => sum + (rates[unit] ?? 0) * { ...counted, request: requests }[unit],
    0,
  );
  const rounded = Number(cost.toPrecision(3));
  const { currency } = prices;
  return {
    json: { estimated_cost: rounded, ...(currency === undefined ? {} : { currency }) },
    words: `, about ${rounded}${currency === undefined ? '' : ` ${currency}`}`,
  };
}

/** @throws UsageError that names the entry */
export function readPrices(value: unknown, path: string): Prices {
  if (value === undefined) return {};
  const entries = entriesOf(value, `prices in ${path}`);
  for (const [name, content] of entries) {
    if (name === 'currency') {
      if (typeof content !== 'string') throw new UsageError(`prices.currency in ${path} must be a string.`);
    } else if (name === 'speak' || name === 'transcribe') {
      for (const [unit, price] of entriesOf(content, `prices.${name} in ${path}`)) {
        if (!units.some((known) => known === unit))
          throw new UsageError(`Unknown price "${name}.${unit}" in ${path}. Use one of ${units.join(', ')}.`);
        if (typeof price !== 'number' || !(price >= 0))
          throw new UsageError(`prices.${name}.${unit} in ${path} must be a number of 0 or more.`);
      }
    } else {
      throw new UsageError(`Unknown price "${name}" in ${path}. Use currency, speak or transcribe.`);
    }
  }
  return value as Prices;
}

function entriesOf(value: unknown, where: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${where} must be an object.`);
  return Object.entries(value);
}
