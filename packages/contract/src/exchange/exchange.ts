import type { HttpExchange } from './http-exchange.ts';
import type { LiveExchange } from './live-exchange.ts';

/** One thing that went over the wire, whoever recorded it: what the judge judges. */
export type Exchange = HttpExchange | LiveExchange;
