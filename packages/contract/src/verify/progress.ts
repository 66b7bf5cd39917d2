import type { Surroundings } from '../command/command.ts';

/** One line that is written over and over while a run is under way. */
export interface Progress {
  show(done: number, all: number, name: string): void;
  /** Takes the line away. */
  clear(): void;
}

/** @param wanted false where nobody looks, such as in a file: then nothing is written */
export function createProgress(
  { error, width }: Pick<Surroundings, 'error' | 'width'>,
  wanted: boolean,
): Progress {
  if (!wanted) return { show: () => {}, clear: () => {} };
  const widest = Math.max(20, width - 1);
  return {
    show(done, all, name) {
      const line = `${String(done).padStart(String(all).length)} of ${all}  ${name}`;
      error(`\r${line.slice(0, widest).padEnd(widest)}`);
    },
    clear: () => error(`\r${' '.repeat(widest)}\r`),
  };
}
