import { isObject, type Json, type JsonObject, objectOf, pointerNames, pointerPart } from '../json.ts';

/** Which way the values of a schema travel. */
export type Direction = 'request' | 'response';

/**
 * Tells for each place of a document whether it describes what a client sends, what it receives, or both.
 *
 * Components are followed from the operations that use them. What nothing uses has no direction.
 */
export function directionsOf(document: JsonObject): (pointer: string) => ReadonlySet<Direction> {
  const components = new Map<string, Set<Direction>>();

  function follow(value: Json, direction: Direction): void {
    if (Array.isArray(value)) for (const item of value) follow(item, direction);
    if (!isObject(value)) return;
    for (const [name, item] of Object.entries(value)) {
      if (name === '$ref' && typeof item === 'string') enter(item.slice(1), direction);
      else follow(item, direction);
    }
  }

  function enter(pointer: string, direction: Direction): void {
    const known = components.get(pointer) ?? new Set();
    if (known.has(direction)) return;
    components.set(pointer, known.add(direction));
    const target = valueAt(document, pointer);
    if (target !== undefined) follow(target, direction);
  }

  for (const path of Object.values(objectOf(document.paths))) {
    for (const operation of [path, ...Object.values(objectOf(path))].filter(isObject)) {
      follow([operation.parameters ?? [], operation.requestBody ?? {}], 'request');
      follow(operation.responses ?? {}, 'response');
    }
  }
  // In AsyncAPI the one who receives is the service.
  for (const operation of Object.values(objectOf(document.operations)).filter(isObject)) {
    follow(operation.messages ?? [], operation.action === 'receive' ? 'request' : 'response');
  }
  for (const channel of Object.values(objectOf(document.channels)).filter(isObject)) {
    follow(channel.bindings ?? {}, 'request');
  }

  return (pointer) => {
    const own = ownDirection(pointer);
    if (own) return new Set([own]);
    const names = pointerNames(pointer);
    const holders = names.map((_, index) =>
      names
        .slice(0, index + 1)
        .map(pointerPart)
        .join(''),
    );
    return new Set(holders.flatMap((holder) => [...(components.get(holder) ?? [])]));
  };
}

function ownDirection(pointer: string): Direction | undefined {
  const names = pointerNames(pointer);
  if (names[0] !== 'paths') return undefined;
  if (names.includes('responses')) return 'response';
  return names.includes('requestBody') || names.includes('parameters') ? 'request' : undefined;
}

/** What a JSON pointer leads to, references not followed; nothing when it leads nowhere. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const name of pointerNames(pointer)) {
    value = Array.isArray(value) ? value[Number(name)] : isObject(value) ? value[name] : undefined;
  }
  return value;
}
