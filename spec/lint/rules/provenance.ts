import { isNode, type Node, type Rule } from '../redocly-types.ts';
import { type RegisterEntry, readRegister } from '../register.ts';

/**
 * A mark, `x-provenance: { unknown, from, of }`, says that the interface does not state a thing. It names an entry of
 * `unknowns.yaml` and agrees with it on where the thing is from; `of` lists the keywords that are meant,
 * or places inside such as `responses/401`, where not all is.
 *
 * Option `register`: another register, relative to the folder `spec`.
 */
export const provenance: Rule = (options) => {
  const register = readRegister(options.register);
  return {
    any(node, context) {
      if (!isNode(node) || !('x-provenance' in node)) return;
      const message = problemOf(node, register);
      if (message !== undefined)
        context.report({ message, location: context.location.child('x-provenance') });
    },
  };
};

function problemOf(marked: Node, register: ReadonlyMap<string, RegisterEntry>): string | undefined {
  const mark = marked['x-provenance'];
  if (!isNode(mark) || typeof mark.unknown !== 'string') {
    return 'x-provenance is not of the form { unknown: <entry of unknowns.yaml>, from: public or assumed }.';
  }
  const unexpected = Object.keys(mark).filter((key) => !['unknown', 'from', 'of'].includes(key));
  if (unexpected.length > 0) return `x-provenance has the unknown key ${unexpected.join(', ')}.`;
  const entry = register.get(mark.unknown);
  if (entry === undefined) {
    return `x-provenance names "${mark.unknown}", which unknowns.yaml does not have. Add the entry, with its reason and how to settle it.`;
  }
  if (mark.from !== entry.from) {
    return `x-provenance says from: ${String(mark.from)}, and the entry ${entry.id} of unknowns.yaml says ${entry.from}.`;
  }
  const keywords = mark.of ?? [];
  if (!Array.isArray(keywords)) return 'The key "of" of x-provenance is not a list of keywords.';
  const missing = keywords.filter((keyword) => !holds(marked, String(keyword).split('/')));
  return missing.length === 0
    ? undefined
    : `x-provenance is said to be of ${missing.join(', ')}, which is not here.`;
}

/** True if a node has a member, or a member of a member: `default`, `responses/401`. */
function holds(node: unknown, path: readonly string[]): boolean {
  const [first, ...rest] = path;
  if (first === undefined) return true;
  return isNode(node) && first in node && holds(node[first], rest);
}
