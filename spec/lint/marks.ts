import { pointerPart } from '../read.ts';
import { isNode, type Node } from './redocly-types.ts';

/** A value of `x-provenance` and the JSON pointer of the object that carries it. */
export interface Mark {
  readonly pointer: string;
  readonly mark: unknown;
  readonly marked: Node;
}

/** Keywords whose values are instances: an example may hold anything. */
const instances = new Set(['example', 'examples', 'default', 'const', 'enum']);

/** Every mark under a node, in reading order. References are not followed. */
export function findMarks(node: unknown, pointer = ''): Mark[] {
  if (Array.isArray(node)) return node.flatMap((item, index) => findMarks(item, `${pointer}/${index}`));
  if (!isNode(node)) return [];
  const own = 'x-provenance' in node ? [{ pointer, mark: node['x-provenance'], marked: node }] : [];
  const inside = Object.entries(node).flatMap(([key, value]) =>
    key === 'x-provenance' || (instances.has(key) && !isPropertyMap(pointer))
      ? []
      : findMarks(value, pointer + pointerPart(key)),
  );
  return [...own, ...inside];
}

/** In the map of properties every key is the name of a property, `default` and `examples` too. */
function isPropertyMap(pointer: string): boolean {
  return pointer.endsWith('/properties') && !pointer.endsWith('/properties/properties');
}
