import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parse } from 'yaml';
import { isObject, type Json, type JsonObject, pointerNames, pointerPart, valueAt } from '../read.ts';

/** The place of something: a file of this folder, and the id or the JSON pointer in it. */
export interface Place {
  readonly file: string;
  readonly key: string;
}

/** The register, each entry with the places to edit if its choice is wrong: `speech-contract settle` prints them. */
export function withPlaces(register: Json): Json {
  if (!Array.isArray(register)) throw new TypeError('unknowns.yaml must be a list.');
  return register.map((entry) => (isObject(entry) ? { ...entry, places: placesOf(entry) } : entry));
}

function placesOf({ id, rules, pointers, live_pointers: live }: JsonObject): JsonObject[] {
  const places = [
    { file: 'unknowns.yaml', key: String(id) },
    ...stringsOf(rules).map((rule) => {
      const [list = '', key = ''] = rule.split('/');
      return { file: `rules/${list}.yaml`, key };
    }),
    ...stringsOf(pointers).map((pointer) => placeOf(pointer, 'openapi.yaml')),
    ...stringsOf(live).map((pointer) => placeOf(pointer, 'live/asyncapi.yaml')),
  ];
  return [...new Map(places.map((place) => [`${place.file} ${place.key}`, { ...place }])).values()];
}

const stringsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Follows a pointer of a bundled document through the files that it was bundled of. */
export function placeOf(pointer: string, root: string): Place {
  const tokens = pointerNames(pointer);
  let file = root;
  const [components, kind = '', name = ''] = tokens;
  if (components === 'components') {
    // A bundle names its components after their files.
    const own = [`${kind}/${name}.yaml`, `${kind}/live/${name}.yaml`].find((each) =>
      existsSync(inFolder(each)),
    );
    if (own === undefined) throw new TypeError(`No file of the specification is for ${pointer}.`);
    file = own;
    tokens.splice(0, 3);
  }
  let value = read(file);
  let key = '';
  for (const token of tokens) {
    const next = valueAt(value, pointerPart(token));
    // Derived parts have no place of their own; use the nearest one above.
    if (next === undefined) break;
    const reference = isObject(next) ? next.$ref : undefined;
    if (typeof reference === 'string' && !reference.startsWith('#')) {
      file = posix.join(posix.dirname(file), reference);
      key = '';
      value = read(file);
    } else {
      key += pointerPart(token);
      value = next;
    }
  }
  return { file, key };
}

const known = new Map<string, Json>();

function read(file: string): Json {
  const value = known.get(file) ?? (parse(readFileSync(inFolder(file), 'utf8')) as Json);
  known.set(file, value);
  return value;
}

const inFolder = (file: string): URL => new URL(`../${file}`, import.meta.url);
