/**
 * Writes `pointers`, `live_pointers`, `rules` and `absent` of unknowns.yaml from the marks in what is built.
 * Run after a build, `node lint/write-pointers.ts` in spec; the lint rule provenance-pointers says when it is needed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';
import { findMarks } from './marks.ts';
import { isNode } from './redocly-types.ts';
import { registerPath, rulesByEntry } from './register.ts';

const lists = { pointers: '../dist/openapi.json', live_pointers: '../dist/asyncapi.json' };

const path = registerPath(undefined);
const register = parseDocument(readFileSync(path, 'utf8'));
if (!isSeq<YAMLMap>(register.contents)) throw new TypeError(`${path} is not a list.`);

for (const entry of register.contents.items) {
  if (!isMap(entry)) throw new TypeError(`${path} has an entry that is not a map.`);
  for (const key of [...Object.keys(lists), 'rules', 'absent']) entry.delete(key);
}
for (const [list, file] of Object.entries(lists)) {
  const pointers = pointersByEntry(JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')));
  for (const entry of register.contents.items) {
    const found = pointers.get(String(entry.get('id')));
    if (found !== undefined) entry.set(list, register.createNode(found));
  }
}
const rules = rulesByEntry(JSON.parse(readFileSync(new URL('../dist/rules.json', import.meta.url), 'utf8')));
for (const entry of register.contents.items) {
  const found = rules.get(String(entry.get('id')));
  if (found !== undefined) entry.set('rules', register.createNode(found));
  if (![...Object.keys(lists), 'rules'].some((list) => entry.has(list))) entry.set('absent', true);
}
writeFileSync(path, register.toString({ lineWidth: 0, flowCollectionPadding: true }));

function pointersByEntry(document: unknown): Map<string, string[]> {
  const pointers = new Map<string, string[]>();
  for (const { pointer, mark } of findMarks(document)) {
    if (!isNode(mark)) continue;
    const id = String(mark.unknown);
    pointers.set(id, [...(pointers.get(id) ?? []), pointer]);
  }
  return pointers;
}
