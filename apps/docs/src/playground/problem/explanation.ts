/** What went wrong and what the reader can do about it. */
export interface Explanation {
  readonly title: string;
  readonly advice: string;
  /** What to do, one after the other. */
  readonly steps?: readonly string[];
  /** A command to type, where one helps. */
  readonly command?: string;
  /** What stands below the command. */
  readonly afterwards?: string;
  /** The details, for those who look further. */
  readonly detail?: string;
  /** The field under Connection that is to be changed. */
  readonly field?: 'baseUrl' | 'apiKey';
}

/** What was going on when the error came. */
export interface Situation {
  readonly baseUrl: string;
  /** Address of the page that called. */
  readonly pageUrl: string;
  /** What the button says that begins again. */
  readonly action: string;
  /** The answer had begun. */
  readonly answered: boolean;
  /** Seconds of audio that had arrived. */
  readonly receivedSeconds: number;
}
