import type { Impact } from '../impact.ts';
import type { Json } from '../json.ts';

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
