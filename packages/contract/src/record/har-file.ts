import { closeSync, openSync, writeSync } from 'node:fs';
import { CannotJudge } from '../errors.ts';
import { toolName, toolVersion } from '../tool.ts';

/** The end of a HAR file. An entry has no line end in it, so that this is nowhere else. */
export const endOfHar = '\n]}}';

/** A HAR file that is whole after each entry. */
export interface HarFile {
  /** Writes one entry. */
  add(entry: object): void;
  close(): void;
}

/**
 * Creates a HAR file that only its owner may read.
 *
 * @throws CannotJudge when the file is there already, or can't be written
 */
export function createHarFile(path: string): HarFile {
  const creator = JSON.stringify({ name: toolName, version: toolVersion() });
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EEXIST' ? 'it is there already. Name another file' : message;
    throw new CannotJudge(`${path} can't be written: ${why}.`);
  }
  let end = writeSync(file, `{"log":{"version":"1.2","creator":${creator},"entries":[`);
  let separator = '';
  writeSync(file, endOfHar, end);
  return {
    add(entry) {
      // Whoever is killed in between leaves the file as it was, with something behind its end that `check` leaves out.
      const text = `${JSON.stringify(entry)}${endOfHar}`;
      const length = writeSync(file, text, end + endOfHar.length);
      writeSync(file, `${separator}\n`.padEnd(endOfHar.length), end);
      separator = ',';
      end += length;
    },
    close: () => closeSync(file),
  };
}
