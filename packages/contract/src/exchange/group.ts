/**
 * What several exchanges have to do with each other.
 *
 * - `encodings`: one request in several content types; neither status, type nor shape differ (section 4.1).
 * - `trace`: one request without and with `traceparent`; it changes nothing (section 4.7).
 * - `repeat`: one request several times; the audio is compared with `deterministic` alone.
 * - `pages`: all pages of one list in order; nothing is repeated or left out (section 4.4).
 * - `voice`: the life of one voice model: created, read, changed, deleted, gone (section 4.4).
 */
export type Relation = 'encodings' | 'trace' | 'repeat' | 'pages' | 'voice';

/** The part an exchange plays in a group. An exchange may be in several groups. */
export interface GroupMembership {
  /** The same in every exchange of the group. */
  readonly id: string;
  readonly relation: Relation;
  /**
   * The step of a `voice` group: `create`, `read`, `list`, `use`, `update`, `read-updated`, `delete` or `read-deleted`.
   * For `trace`, `without` or `with`. Other relations go by the order of the exchanges.
   */
  readonly role?: string;
}
