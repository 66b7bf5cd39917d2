import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** An entry of `unknowns.yaml`, as far as the rules look at it. */
export interface RegisterEntry {
  readonly id: string;
  readonly from: 'public' | 'assumed';
  readonly pointers?: readonly string[];
  readonly live_pointers?: readonly string[];
  /** As `synthesis/text-length`. */
  readonly rules?: readonly string[];
  readonly absent?: true;
}

const specificationFolder = new URL('../', import.meta.url);

/** Path of the register; a configuration names another one relative to the folder `spec`. */
export function registerPath(name: unknown): string {
  return fileURLToPath(new URL(typeof name === 'string' ? name : 'unknowns.yaml', specificationFolder));
}

/** The entries of the register by their id. */
export function readRegister(name: unknown): ReadonlyMap<string, RegisterEntry> {
  const entries: readonly RegisterEntry[] = parse(readFileSync(registerPath(name), 'utf8'));
  return new Map(entries.map((entry) => [entry.id, entry]));
}

/** The rules that name an entry of the register, by the id of the entry. */
export function rulesByEntry(
  lists: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>,
): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [list, rules] of Object.entries(lists)) {
    for (const { id, kind, provenance, contradiction } of rules) {
      const marks = [provenance ?? []].flat().map((mark) => (mark as { readonly unknown: string }).unknown);
      for (const entry of new Set([
        ...marks,
        ...(typeof contradiction === 'string' ? [contradiction] : []),
      ])) {
        found.set(entry, [...(found.get(entry) ?? []), `${list}/${id ?? kind}`]);
      }
    }
  }
  return found;
}
