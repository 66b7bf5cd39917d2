import type { OperationId } from '@speech-api/types';
import type { Interference } from './proxy/carried.ts';

/** The kinds of break, as the table of the score lists them. */
export const kinds = [
  'field dropped',
  'field of another type',
  'field null',
  'field out of range',
  'status',
  'bad request accepted',
  'good request refused',
  'key let in',
  'media type',
  'error body',
  'header',
  'audio',
  'stream',
  'paging and filters',
  'life of a voice',
  'wallet',
  'transcription',
  'live session',
  'encoding',
  'trace',
  // Tolerated by clients: the judge reports them as drift, and nothing fails.
  'addition',
] as const;

/** One of {@link kinds}. */
export type Kind = (typeof kinds)[number];

/** One way in which a server could break the contract. */
export interface Mutant {
  /** Unique, and begins with the operation: `getModel: title dropped`. */
  readonly id: string;
  readonly kind: Kind;
  readonly operation: OperationId;
  /** What must be seen to notice it; `scenarios.ts` says which scenarios of the judge show that. */
  readonly topic: Shown;
  /** The rule that must be named; of several, any. */
  readonly rules: readonly string[];
  /** Without `concerns` it concerns every call of the operation. */
  readonly interference: Omit<Interference, 'concerns'> & Partial<Pick<Interference, 'concerns'>>;
}

/** What shows it: something that `scenarios.ts` knows the scenarios of, the scenarios by their names, or the one with such a step. */
export type Shown = Topic | readonly string[] | { readonly step: string };

/** What a scenario of the judge can show of an operation. */
export type Topic =
  | 'success'
  | 'key'
  | 'schema'
  | 'rule'
  | 'media type'
  | 'not found'
  | 'method'
  | 'no upgrade'
  | 'formats'
  | 'rates'
  | 'bitrates'
  | 'long stream';
