import { given } from './given.ts';

/** The user's prices per unit: `prices` of the configuration file. The interface names no prices. */
export interface Prices {
  readonly currency?: string;
  readonly speak?: Rates;
  readonly transcribe?: Rates;
}

export const units = ['million_characters', 'million_bytes', 'hour', 'request'] as const;
type Rates = { readonly [Unit in (typeof units)[number]]?: number };

/** Quantities of one job that can have a price. */
interface Quantities {
  readonly characters?: number;
  readonly bytes?: number;
  readonly seconds: number;
  readonly requests: number;
}

/** The estimated cost, for `--json` and for people; nothing without a price. */
export function describeCost(
  { currency, ...prices }: Prices,
  kind: 'speak' | 'transcribe',
  { characters = 0, bytes = 0, seconds, requests: request }: Quantities,
): { readonly json: object; readonly words: string } {
  const rates = prices[kind];
  if (rates === undefined) return { json: {}, words: '' };
  const [million_characters, million_bytes, hour] = [characters / 1e6, bytes / 1e6, seconds / 3600];
  const counted = { million_characters, million_bytes, hour, request };
  const cost = units.reduce((sum, unit) => sum + (rates[unit] ?? 0) * counted[unit], 0);
  const rounded = Number(cost.toPrecision(3));
  const words = `, about ${rounded}${currency === undefined ? '' : ` ${currency}`}`;
  return { json: given({ estimated_cost: rounded, currency }), words };
}
