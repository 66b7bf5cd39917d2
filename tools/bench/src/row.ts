/** What one row of the table measures. */
export interface Row {
  /** Short name for `--only`. */
  readonly id: string;
  readonly what: string;
  /** The target as it is written down; `meets` says the same as code. */
  readonly target: string;
  measure(): Promise<readonly Result[]>;
}

/** One figure of ours beside its reference, both from the same run. */
export interface Result {
  /** Which case of the row, where it has several. */
  readonly variant?: string;
  readonly ours: number;
  readonly unit: Unit;
  /** What ours is compared with: another library, the bare runtime, or half the work. */
  readonly reference: Reference;
  /** Further peers of the same run. */
  readonly peers?: readonly Reference[];
  /** Whether the target is met. Undefined where it is about something that this machine can not say. */
  readonly met: boolean | undefined;
}

export interface Reference {
  readonly name: string;
  readonly value: number;
}

export type Unit = 'KB' | 'MB' | 'files' | 'ms' | 'us' | 's' | 'MB/s' | 'x' | 'x real time' | 'a second';
