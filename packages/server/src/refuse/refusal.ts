import { type Refusal as RefusalEntry, refusals } from '@speech-api/types';
import type { ValidationIssue } from '../validate/issue.ts';

/** The general error body (section 7). */
export interface GeneralErrorBody {
  readonly status: number;
  readonly message: string;
}

/** What a refusal adds to its entry in the data. */
export interface RefusalDetails {
  readonly message: string;
  /** The validation list, where the entry says that the body is one. */
  readonly issues?: readonly ValidationIssue[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** A request that a server answers with an error. Its status and the shape of its body are the spec's. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** The entry of the refusal data. */
  readonly entry: RefusalEntry;
  readonly issues: readonly ValidationIssue[];
  readonly headers: Readonly<Record<string, string>>;

  /**
   * @param id of an entry in the spec's refusal data
   * @throws Error for an id that the data does not have: a refusal without a status is a fault of the server
   */
  constructor(id: string, details: RefusalDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.entry = refusalEntry(id);
    this.issues = details.issues ?? [];
    this.headers = details.headers ?? {};
  }

  get status(): number {
    return this.entry.status;
  }

  /** What to send, as JSON: one of the two error bodies of section 7. */
  get body(): GeneralErrorBody | readonly ValidationIssue[] {
    return this.entry.body === 'validation'
      ? this.issues
      : { status: this.entry.status, message: this.message };
  }
}

/** The entry of a refusal in the spec's data. */
export function refusalEntry(id: string): RefusalEntry {
  const entry = refusals.find((each) => each.id === id);
  if (entry === undefined) throw new Error(`The spec has no refusal ${id}.`);
  return entry;
}
