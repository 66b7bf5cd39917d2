import { isObject, type Json, type JsonObject, pointerNames } from '@speech-api/spec/read';
import type { Snapshot } from '../snapshot.ts';
import type { Impact } from '../verdict.ts';

/** One scripted change of the specification, and what the gate has to say about it. */
export interface Edit {
  /** What is done, as a sentence goes on after "catches" or "lets pass". */
  readonly name: string;
  readonly part: 'openapi' | 'asyncapi' | 'data';
  /** `set` puts a value there, `remove` takes it away, `append` adds to a list, `move` takes an item to the front. */
  readonly do: 'set' | 'remove' | 'append' | 'move';
  /** JSON pointer; an entry of a list may be named by its id. */
  readonly pointer: string;
  readonly value?: Json;
  readonly rule: string;
  /** What the finding is about. */
  readonly subject: string;
  readonly impact: Impact;
}

/** Pointer to the fields that every synthesis request has. */
export const settings = '/components/schemas/SynthesisSettings/properties';

/** A copy of the specification with one change in it. */
export function applyEdit(snapshot: Snapshot, edit: Edit): Snapshot {
  const changed = change(snapshot[edit.part], pointerNames(edit.pointer), edit);
  if (!isObject(changed)) throw new TypeError('A part of the specification is an object.');
  return { ...snapshot, [edit.part]: changed };
}

function change(holder: Json | undefined, [name = '', ...rest]: readonly string[], edit: Edit): Json {
  if (Array.isArray(holder)) {
    const index = holder.findIndex(
      (item, at) => (isObject(item) ? item.id === name : false) || String(at) === name,
    );
    const item: Json | undefined = holder[index];
    if (item === undefined) throw new Error(`${edit.pointer} leads nowhere: there is no ${name}.`);
    if (rest.length > 0) return holder.with(index, change(item, rest, edit));
    const others = holder.toSpliced(index, 1);
    if (edit.do === 'remove') return others;
    return edit.do === 'move' ? [item, ...others] : holder.with(index, edit.value ?? null);
  }
  if (!isObject(holder)) throw new Error(`${edit.pointer} leads nowhere: ${name} would be in no object.`);
  if (rest.length > 0) return { ...holder, [name]: change(holder[name], rest, edit) };
  return replaceMember(holder, name, edit);
}

function replaceMember(
  holder: JsonObject,
  name: string,
  { do: deed, value = null, pointer }: Edit,
): JsonObject {
  const { [name]: old, ...others } = holder;
  if (deed === 'set') return { ...holder, [name]: value };
  if (old === undefined) throw new Error(`${pointer} leads nowhere: there is no ${name}.`);
  if (deed === 'remove') return others;
  if (!Array.isArray(old)) throw new Error(`${pointer} is not a list.`);
  return { ...holder, [name]: [...old, value] };
}
