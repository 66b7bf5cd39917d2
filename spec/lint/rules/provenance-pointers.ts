import { findMarks } from '../marks.ts';
import { isNode, type Rule } from '../redocly-types.ts';
import { type RegisterEntry, readRegister } from '../register.ts';

const remedy = 'Run `node lint/write-pointers.ts` in spec after a build, and read what it changed.';

/**
 * The other half of `provenance`: every pointer of `unknowns.yaml` leads to a mark of its entry, and every mark is pointed to.
 * For bundled documents, since the pointers lead into these.
 *
 * Option `register`: another register, relative to the folder `spec`.
 */
export function provenancePointers(list: 'pointers' | 'live_pointers'): Rule {
  return (options) => {
    const register = readRegister(options.register);
    return {
      Root(root, context) {
        const marks = new Map(findMarks(root).map(({ pointer, mark }) => [pointer, entryOf(mark)]));
        for (const entry of register.values()) {
          for (const pointer of entry[list] ?? []) {
            if (marks.get(pointer) === entry.id) continue;
            context.report({
              message: `The entry ${entry.id} of unknowns.yaml points to ${pointer}, where there is no x-provenance mark of it. ${remedy}`,
            });
          }
        }
        for (const [pointer, id] of marks) {
          if (isPointedTo(pointer, register.get(id), list)) continue;
          context.report({
            message: `The x-provenance mark at ${pointer} is missing in the list ${list} of the entry ${id} of unknowns.yaml. ${remedy}`,
          });
        }
      },
    };
  };
}

function entryOf(mark: unknown): string {
  return isNode(mark) ? String(mark.unknown) : '';
}

function isPointedTo(
  pointer: string,
  entry: RegisterEntry | undefined,
  list: 'pointers' | 'live_pointers',
): boolean {
  // A mark of an entry that does not exist is reported by the rule `provenance`.
  return entry === undefined || (entry[list] ?? []).includes(pointer);
}
