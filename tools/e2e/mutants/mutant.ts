import { type OperationId, operationTable } from '@speech-api/types';
import type { AnswerChange, Interference } from './carried.ts';
import { onSuccess } from './change.ts';

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

export type Kind = (typeof kinds)[number];

/** A mutant's changes to calls: those of its own operation, unless it concerns others as well. */
export type Break = Omit<Interference, 'concerns'> & Partial<Pick<Interference, 'concerns'>>;

/** One way in which a server could break the contract. */
export interface Mutant {
  /** Unique, and begins with the operation: `getModel: title dropped`. */
  readonly id: string;
  readonly kind: Kind;
  readonly operation: OperationId;
  readonly shown: Shown;
  /** The rule that must be named; of several, any. */
  readonly rules: readonly string[];
  readonly breaks: Break;
}

/** The scenarios of the judge that show it: those of a topic in `scenarios.ts`, by their names, or the one with such a step. */
export type Shown = Topic | readonly string[] | { readonly step: string };

/** Aspect of an operation that a scenario can show. */
export type Topic =
  | 'success'
  | 'key'
  | 'schema'
  | 'rule'
  | 'media type'
  | 'not found'
  | 'no upgrade'
  | 'formats'
  | 'encodings'
  | 'long stream';

/** One mutant of a table: the rules it breaks, the change of successful answers or the whole break, and what shows it. */
export type Row = readonly [
  rules: string | readonly string[],
  breaks: AnswerChange | Break,
  shown?: Shown | undefined,
];

export type Rows = Readonly<Record<string, Row>>;

/** The mutants of a table, all of one kind, at one operation or at each of several. */
export function table(
  operations: OperationId | readonly OperationId[],
  kind: Kind,
  rows: Rows,
  otherwise: Shown = 'success',
): Mutant[] {
  return [operations].flat().flatMap((operation) =>
    Object.entries(rows).map(([words, [rules, breaks, shown = otherwise]]) => ({
      id: `${operation}: ${words}`,
      kind,
      operation,
      shown,
      rules: [rules].flat(),
      breaks: typeof breaks === 'function' ? { answer: onSuccess(breaks) } : breaks,
    })),
  );
}

export function interferenceOf({ operation, breaks }: Mutant): Interference {
  const { method: own, path } = operationTable[operation];
  const pattern = new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
  return { concerns: (method, called) => method === own && pattern.test(called), ...breaks };
}
