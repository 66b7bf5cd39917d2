import { type Operation, readOperations } from '../spec/operations.ts';
import { listed, show, suggest } from '../validate/words.ts';

/** Result of routing a request. */
export type Route =
  | {
      readonly kind: 'operation';
      readonly operation: Operation;
      readonly pathParameters: Record<string, string>;
    }
  | { readonly kind: 'unknown-path' }
  | { readonly kind: 'unknown-method'; readonly allow: readonly string[] };

/** Finds the operation of a method and a path. */
export type Router = (method: string, path: string) => Route;

interface CompiledPath {
  readonly pattern: RegExp;
  readonly names: readonly string[];
  readonly operations: Map<string, Operation>;
}

/**
 * Makes a router over the paths and methods of the spec.
 *
 * Paths without parameters win over those with. A parameter is one segment and is percent-decoded; a segment that
 * cannot be decoded matches nothing.
 */
export function createRouter(operations: readonly Operation[] = readOperations()): Router {
  const paths = new Map<string, CompiledPath>();
  for (const operation of operations) {
    const known = paths.get(operation.path) ?? compilePath(operation.path);
    known.operations.set(operation.method, operation);
    paths.set(operation.path, known);
  }
  const ordered = [...paths.values()].sort((one, other) => one.names.length - other.names.length);

  return (method, path) => {
    for (const candidate of ordered) {
      const match = candidate.pattern.exec(path);
      if (!match) continue;
      const pathParameters = readParameters(candidate.names, match.slice(1));
      if (pathParameters === undefined) continue;
      const operation = candidate.operations.get(method);
      return operation
        ? { kind: 'operation', operation, pathParameters }
        : { kind: 'unknown-method', allow: [...candidate.operations.keys()] };
    }
    return { kind: 'unknown-path' };
  };
}

function compilePath(path: string): CompiledPath {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? '');
  const source = path
    .split(/\{[^}]+\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]+)');
  return { pattern: new RegExp(`^${source}$`), names, operations: new Map() };
}

function readParameters(
  names: readonly string[],
  values: readonly string[],
): Record<string, string> | undefined {
  try {
    return Object.fromEntries(names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')]));
  } catch {
    return undefined;
  }
}

/** Says that a path is not there, which was probably meant, and which there are. */
export function describeUnknownPath(path: string, operations: readonly Operation[]): string {
  const known = [...new Set(operations.map((operation) => operation.path))];
  const meant = suggest(path, known);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return `There is nothing at ${show(path)}.${hint} There is ${listed(known)}.`;
}
