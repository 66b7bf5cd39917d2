import {
  asArray,
  asObject,
  type JsonObject,
  readAsyncApi,
  readBuilt,
  readOpenApi,
} from '@speech-api/spec/read';

/** A line of the register of unknowns, as the specification publishes it. */
export interface UnknownEntry {
  readonly id: string;
  readonly kind: 'blank' | 'contradiction' | 'addition';
  /** Statement of the interface, word for word; present in blanks. */
  readonly statement?: string;
  /** The sentences that cannot both hold; contradictions have them. */
  readonly statements?: readonly { readonly text: string }[];
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

export const openapi = readOpenApi();
export const asyncapi = readAsyncApi();
export const unknowns = readBuilt('unknowns.json') as unknown as readonly UnknownEntry[];
export const tolerances = asArray(readBuilt('tolerances.json')).map(asObject);

/** A list of the rules that no schema can express, such as the refusals in the order of a server's checks. */
export function readRules(list: 'synthesis' | 'refusals' | 'streams' | 'expressions'): readonly JsonObject[] {
  return asArray(asObject(readBuilt('rules.json'))[list]).map(asObject);
}
