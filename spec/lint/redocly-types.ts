/**
 * The small part of Redocly's rule interface that our rules use.
 * The command-line package carries its types inside its bundle and exports none.
 */

/** A parsed object of a document; its references are not followed. */
export type Node = { readonly [key: string]: unknown };

/** A place in a source file. */
export interface Location {
  readonly pointer: string;
  readonly source: { readonly absoluteRef: string };
  child(parts: readonly (string | number)[] | string | number): Location;
  key(): Location;
}

export interface Resolved {
  readonly node: unknown;
  readonly location?: Location;
}

export interface RuleContext {
  readonly location: Location;
  report(problem: { message: string; location?: Location }): void;
  /** Follows a reference, from the file that is visited or from another one; anything else comes back as it is. */
  resolve(node: unknown, from?: string): Resolved;
}

export type Visit = (node: Node, context: RuleContext) => void;

/** Visitors by the kind of node, `Root`, `Schema` and so on; `any` sees every node, `ref` every reference. */
export type Visitor = { readonly [kind: string]: Visit };

/** A rule, made once for each document from its options in the configuration. */
export type Rule = (options: Node) => Visitor;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
