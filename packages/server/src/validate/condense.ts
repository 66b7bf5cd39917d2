import type { ErrorObject } from 'ajv';

const combinators = new Set(['anyOf', 'oneOf', 'allOf', 'not', 'if', 'then', 'else', '$ref']);

/**
 * Leaves the errors that a person can act on: of a choice between an object and null, only what is wrong with the
 * object that was given, and several type errors of one value as one.
 */
export function condense(errors: readonly ErrorObject[]): ErrorObject[] {
  const concrete = errors.filter((error) => !combinators.has(error.keyword));
  const merged = new Map<string, ErrorObject>();
  for (const error of concrete) {
    if (error.keyword === 'type' && hasDeeper(concrete, error)) continue;
    const key = `${error.instancePath} ${error.keyword} ${error.keyword === 'type' ? '' : JSON.stringify(error.params)}`;
    const same = merged.get(key);
    merged.set(key, same && error.keyword === 'type' ? joinTypes(same, error) : error);
  }
  return merged.size > 0 ? [...merged.values()] : errors.slice(0, 1);
}

/** Another branch got further into the same value, so its type was right for that one. */
function hasDeeper(errors: readonly ErrorObject[], error: ErrorObject): boolean {
  return errors.some((other) => {
    if (other.instancePath === error.instancePath) return other.keyword !== 'type';
    return other.instancePath.startsWith(`${error.instancePath}/`);
  });
}

function joinTypes(one: ErrorObject, other: ErrorObject): ErrorObject {
  const types = [one.params.type, other.params.type].flat();
  return { ...one, params: { ...one.params, type: [...new Set(types)] } };
}
