/** A place a rule looks at: a JSON pointer into the request body, or the model header. */
export type RulePlace = `/${string}` | 'header:model';

/** A value a rule compares with. */
export type RuleValue = string | number | boolean;

/** The kinds of value that a condition can ask for. `null` counts as absent. */
export type RuleKind = 'present' | 'absent' | 'string' | 'array' | 'array-of-arrays';

/** One condition of a rule: a place, and exactly one test. */
export type RuleCondition = { readonly at: RulePlace } & RuleTest;

/** The tests a condition can make. A value that is left out and has no default passes each but `is`. */
export type RuleTest =
  | { readonly in: readonly RuleValue[] }
  | { readonly not_in: readonly RuleValue[] }
  | { readonly is: RuleKind }
  /** The largest N of `<|speaker:N|>` in the text is below the length of this array. */
  | { readonly speaker_tags_below: RulePlace }
  /** The array has as many entries as this one. */
  | { readonly same_length_as: RulePlace }
  /** The string has at most this many Unicode code points. */
  | { readonly code_points_at_most: number };

/** The origin of a choice that the interface does not state. */
export interface Provenance {
  /** Id of the entry in the specification's register of unknowns. */
  readonly unknown: string;
  readonly from: 'public' | 'assumed';
}

/** A rule between the fields of a synthesis request, which no schema can express. */
export interface SynthesisRule {
  readonly id: string;
  readonly section: string;
  /** The subject of the message. */
  readonly field: RulePlace;
  /** The rule speaks only where all of these hold. Defaults are filled in first. */
  readonly when: readonly RuleCondition[];
  /** Each must hold, else the rule is broken. */
  readonly require: readonly RuleCondition[];
  /** May contain `{value}`, `{field}` and `{allowed}`. */
  readonly message: string;
  /** The side that refuses. With `server`, a client sends the request as it is. */
  readonly enforced_by: readonly ('client' | 'server')[];
  /** `ignore`: legal and without effect, for readers only. */
  readonly effect: 'refuse' | 'ignore';
  /** Operations the rule is for; all that take a synthesis request when left out. */
  readonly applies_to?: readonly string[];
  /** Id of the tolerance under which a lenient server skips the rule. */
  readonly tolerated_by?: string;
  /** Id of the refusal a server answers with; `rule` when left out. */
  readonly refusal?: string;
  readonly provenance?: Provenance;
  /** Id of the contradiction in the register that this rule decides as the interface does. */
  readonly contradiction?: string;
}

/** One check of a server and how it refuses; the list is in the order of the checks. */
export interface Refusal {
  readonly id: string;
  readonly status: number;
  /** `general`: an object with status and message. `validation`: the list of what is wrong. */
  readonly body: 'general' | 'validation';
  /** Input of the check: the head, the bytes as they arrive, the decoded content, or the state of the service. */
  readonly stage: 'head' | 'body' | 'content' | 'work';
  /** The condition, in words. */
  readonly when: string;
  readonly section: string;
  /** Operations that can answer so; all of them when left out. */
  readonly applies_to?: readonly string[];
  /** Values of `type` in the validation list; no client may depend on them. */
  readonly issue_types?: readonly string[];
  readonly provenance: Provenance;
}

/** Something a lenient server accepts beyond the specification, and a strict one refuses by saying what was meant. */
export interface Tolerance {
  readonly id: string;
  /** The part of the OpenAPI document it loosens, as a JSON pointer. */
  readonly pointer: string;
  /** Further parts it loosens. */
  readonly also?: readonly string[];
  readonly accepts: string;
  /** The change made to it before the schema is checked. */
  readonly normalises_to: string;
  readonly reason: string;
  /** Id of the refusal with which a strict server answers. */
  readonly refused_by: 'schema' | 'rule' | 'unknown-voice';
  /** Id of the rule that a lenient server skips. */
  readonly rule?: string;
  /** Message of a strict server; may contain `{field}`, `{value}` and `{meant}`. */
  readonly message: string;
  /** Id of the entry in the register of unknowns that is behind it. */
  readonly unknown?: string;
}

/** Tags of one kind that direct how the text after them is spoken. On `s1` only these exist; on the S2 family they are examples. */
export interface ExpressionGroup {
  readonly kind: 'emotion' | 'manner' | 'sound' | 'pause';
  /** The meaning of a tag of this kind, in words. */
  readonly meaning: string;
  /** The words between the brackets of `expressionStyles`, in any case. */
  readonly tags: readonly string[];
  readonly provenance: Provenance;
}
