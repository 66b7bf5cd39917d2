/** A line of the register of unknowns, as the specification publishes it. */
export interface UnknownEntry {
  readonly id: string;
  readonly kind: 'blank' | 'contradiction' | 'addition';
  readonly section?: string;
  /** What the interface says, word for word; blanks have it. */
  readonly statement?: string;
  /** The sentences that cannot both hold; contradictions have them. */
  readonly statements?: readonly { readonly section?: string; readonly text: string }[];
  /** What is added; additions have it. */
  readonly subject?: string;
  /** What the specification, the client and the servers go by. */
  readonly choice: string;
  /** What follows for each side; contradictions have it. */
  readonly decision?: Readonly<Record<string, string>>;
  /** Documented publicly for services with the same interface, or a choice of our own. */
  readonly from?: 'public' | 'assumed';
  readonly reason: string;
  /** How the owner of a key can find out. */
  readonly settle: string;
}
