import { asArray, asObject, isObject, type Json, type JsonObject } from '@speech-api/spec/read';
import { isSame } from './place.ts';

/** A thing that has another name and is the same otherwise: generated types change, and nothing on the wire. */
export interface Rename {
  readonly rule: 'renamed-schema' | 'renamed-path-parameter';
  readonly from: string;
  readonly to: string;
}

/** The older document with the names that the newer one has for the same schemas and path parameters. */
export function withNewNames(
  base: JsonObject,
  revision: JsonObject,
): { readonly base: JsonObject; readonly renames: readonly Rename[] } {
  const renames: Rename[] = [];
  let renamed = base;
  for (const [from, to] of renamedSchemas(base, revision)) {
    const candidate = renameSchema(renamed, from, to);
    // Its own content may refer to what was renamed, to itself above all.
    if (!isSame(schemasOf(candidate)[to], schemasOf(revision)[to])) continue;
    renames.push({ rule: 'renamed-schema', from, to });
    renamed = candidate;
  }
  for (const [path, newPath] of renamedPaths(renamed, revision)) {
    const [from, to] = [parametersOf(path), parametersOf(newPath)];
    for (const [index, name] of from.entries()) {
      const newName = to[index] ?? name;
      if (newName === name) continue;
      renames.push({ rule: 'renamed-path-parameter', from: name, to: newName });
      renamed = renameParameter(renamed, path, name, newName);
    }
    renamed = { ...renamed, paths: renameKey(asObject(renamed.paths), path, newPath) };
  }
  return { base: renamed, renames };
}

const schemasOf = (document: JsonObject): JsonObject => asObject(asObject(document.components).schemas);

/** Pairs of a schema that is gone and a new one with the same members. */
function renamedSchemas(base: JsonObject, revision: JsonObject): [string, string][] {
  const [old, now] = [schemasOf(base), schemasOf(revision)];
  const added = Object.keys(now).filter((name) => !(name in old));
  return Object.keys(old)
    .filter((name) => !(name in now))
    .flatMap((from): [string, string][] => {
      const to = added.find((name) => isSame(schemasOf(renameSchema(base, from, name))[name], now[name]));
      return to === undefined ? [] : [[from, to]];
    });
}

function renameSchema(document: JsonObject, from: string, to: string): JsonObject {
  const [reference, newReference] = [`#/components/schemas/${from}`, `#/components/schemas/${to}`];
  const follow = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(follow);
    if (!isObject(value)) return value === reference ? newReference : value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, follow(item)]));
  };
  const followed = asObject(follow(document));
  const schemas = renameKey(schemasOf(followed), from, to);
  return { ...followed, components: { ...asObject(followed.components), schemas } };
}

/** Pairs of paths that differ only in the names of their parameters. */
function renamedPaths(base: JsonObject, revision: JsonObject): [string, string][] {
  const shape = (path: string) => path.replaceAll(/\{[^}]*\}/g, '{}');
  const [old, now] = [Object.keys(asObject(base.paths)), Object.keys(asObject(revision.paths))];
  return old
    .filter((path) => !now.includes(path))
    .flatMap((path): [string, string][] => {
      const other = now.find((newPath) => !old.includes(newPath) && shape(newPath) === shape(path));
      return other === undefined ? [] : [[path, other]];
    });
}

function parametersOf(path: string): string[] {
  return Array.from(path.matchAll(/\{([^}]*)\}/g), ([, name = '']) => name);
}

/** Renames a parameter of a path, whether it is written there or is a component. */
function renameParameter(document: JsonObject, path: string, from: string, to: string): JsonObject {
  const isIt = (value: Json | undefined) => asObject(value).in === 'path' && asObject(value).name === from;
  const components = asObject(document.components);
  const rename = (value: Json): Json => (isIt(value) ? { ...asObject(value), name: to } : value);
  const renameList = (holder: JsonObject): JsonObject =>
    holder.parameters === undefined
      ? holder
      : { ...holder, parameters: asArray(holder.parameters).map(rename) };
  const item = asObject(asObject(document.paths)[path]);
  const inPath = Object.fromEntries(
    Object.entries(renameList(item)).map(([name, value]) => [
      name,
      isObject(value) ? renameList(value) : value,
    ]),
  );
  const used = JSON.stringify(item);
  const parameters = Object.fromEntries(
    Object.entries(asObject(components.parameters)).map(([name, value]) => [
      name,
      used.includes(`"#/components/parameters/${name}"`) ? rename(value) : value,
    ]),
  );
  return {
    ...document,
    paths: { ...asObject(document.paths), [path]: inPath },
    ...(components.parameters === undefined ? {} : { components: { ...components, parameters } }),
  };
}

function renameKey(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name === from ? to : name, value]),
  );
}
