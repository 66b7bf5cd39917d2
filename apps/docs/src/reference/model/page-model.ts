import type { HearWords } from '../../embedded/spoken-by.ts';

/** Origin of a statement that the interface does not make, with its entry in the register of unknowns. */
export interface Mark {
  readonly unknown: string;
  readonly from: 'public' | 'assumed';
  /** The part that the mark applies to, in words; empty for all of it. */
  readonly of: string;
  readonly choice: string;
  readonly reason: string;
}

/** A line of the register of unknowns, as the specification publishes it. */
export interface UnknownEntry {
  readonly id: string;
  readonly kind: 'blank' | 'contradiction' | 'addition';
  readonly section?: string;
  /** Statement of the interface, word for word; present in blanks. */
  readonly statement?: string;
  /** The sentences that cannot both hold; contradictions have them. */
  readonly statements?: readonly { readonly section?: string; readonly text: string }[];
  /** The addition; present in additions. */
  readonly subject?: string;
  /** Choice that the specification, the client and the servers follow. */
  readonly choice: string;
  /** Consequence for each side; present in contradictions. */
  readonly decision?: Readonly<Record<string, string>>;
  /** Documented publicly for services with the same interface, or a choice of our own. */
  readonly from?: 'public' | 'assumed';
  readonly reason: string;
  /** A way for the owner of a key to find out. */
  readonly settle: string;
}

/** A default, a range, a unit: what a keyword of the schema says, for a reader. */
export interface Fact {
  readonly label: string;
  /** Values as they are on the wire, or words if there are no such values. */
  readonly values: readonly string[];
  readonly words?: string;
}

/** A parameter, a header or a field of a body. */
export interface Field {
  /** As it is named on the wire. */
  readonly name: string;
  /** Path in the body: `prosody.speed`, `references[].audio`. */
  readonly path: string;
  /** Fragment of its address on the page. */
  readonly anchor: string;
  readonly type: string;
  /** The named schema it has, with a place on the page of schemas. */
  readonly schema?: string;
  readonly required: boolean;
  /** Markdown. */
  readonly description: string;
  readonly facts: readonly Fact[];
  readonly marks: readonly Mark[];
  readonly fields: readonly Field[];
}

/** One of several forms an object can have. */
export interface Choice {
  readonly title: string;
  readonly anchor: string;
  readonly description: string;
  readonly fields: readonly Field[];
}

/** Description of a schema: its own facts, and its fields if it is an object. */
export interface Shape {
  readonly type: string;
  readonly description: string;
  readonly facts: readonly Fact[];
  readonly marks: readonly Mark[];
  readonly fields: readonly Field[];
  readonly choices: readonly Choice[];
}

/** A body as it may look, for a reader to copy. */
export interface Example {
  readonly name: string;
  readonly summary: string;
  readonly language: 'json' | 'text';
  readonly code: string;
  /** Text and settings for playing the example. */
  readonly words?: HearWords;
  /** The file that it is, where it is audio: its address below the base of the site. */
  readonly file?: { readonly address: string; readonly format: string; readonly sampleRate?: number };
  /** The entry of the refusals that answers so, for the body of an error. */
  readonly refusal?: string;
}

export interface Sample {
  readonly label: string;
  readonly language: string;
  readonly code: string;
}
