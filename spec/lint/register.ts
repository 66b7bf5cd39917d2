import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** An entry of `unknowns.yaml`, as far as the rules look at it. */
export interface RegisterEntry {
  readonly id: string;
  readonly from: 'public' | 'assumed';
  readonly pointers?: readonly string[];
  readonly live_pointers?: readonly string[];
  readonly absent?: true;
}

const specificationFolder = new URL('../', import.meta.url);

/** Where the register is; a configuration names another one relative to the folder `spec`. */
export function registerPath(name: unknown): string {
  return fileURLToPath(new URL(typeof name === 'string' ? name : 'unknowns.yaml', specificationFolder));
}

/** The entries of the register by their id. */
export function readRegister(name: unknown): ReadonlyMap<string, RegisterEntry> {
  const entries: readonly RegisterEntry[] = parse(readFileSync(registerPath(name), 'utf8'));
  return new Map(entries.map((entry) => [entry.id, entry]));
}
