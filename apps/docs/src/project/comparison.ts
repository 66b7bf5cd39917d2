import { readdirSync, readFileSync } from 'node:fs';

/** What `npm run bench -- --json` prints. */
export interface Measurement {
  readonly measuredAt: string;
  readonly machine: {
    readonly node: string;
    readonly processor: string;
    readonly processors: number;
    readonly memoryBytes: number;
    readonly loadAverage: number;
  };
  readonly rows: readonly {
    readonly id: string;
    readonly what: string;
    readonly target: string;
    readonly failure?: string;
    readonly results: readonly {
      readonly variant?: string;
      readonly ours: number;
      readonly unit: string;
      readonly reference: { readonly name: string; readonly value: number };
      readonly peers?: readonly { readonly name: string; readonly value: number }[];
      readonly ratio: number | null;
      readonly met?: boolean;
    }[];
  }[];
}

/** The newest measurement that is kept in the repository; undefined when there is none. */
export function readMeasurement(): Measurement | undefined {
  const directory = new URL('measurements/', import.meta.resolve('@speech-api/bench/package.json'));
  const newest = readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .at(-1);
  return newest === undefined ? undefined : JSON.parse(readFileSync(new URL(newest, directory), 'utf8'));
}

/** A figure with the digits that count. */
export function sayFigure(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-GB').replaceAll(',', '\u00a0');
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
