import { stripVTControlCharacters } from 'node:util';

export interface TerminalOptions {
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
  /** `false` by `--no-color`. */
  readonly color?: boolean;
}

const colours = { red: 31, green: 32 } as const;

export type Terminal = ReturnType<typeof createTerminal>;

/** Messages to a person, on stderr; only results go to stdout. */
export function createTerminal(options: TerminalOptions) {
  const { stderr: stream, env: environment } = process;
  const isTerminal = stream.isTTY === true;
  const hasColours =
    isTerminal && options.color !== false && !environment.NO_COLOR && environment.TERM !== 'dumb';
  const shows = isTerminal && options.quiet !== true && !environment.CI && environment.TERM !== 'dumb';
  let shown = false;
  const clear = (): void => {
    if (shown) stream.write('\r\u001b[2K');
    shown = false;
  };
  return {
    /** Removes the line that `progress` shows. */
    clear,
    /** Writes a line about what was done, unless `--quiet` is set. */
    note(line: string): void {
      if (options.quiet) return;
      clear();
      stream.write(`${plain(line).replaceAll(/[\n\t]/g, ' ')}\n`);
    },
    /** Shows a line that changes while work goes on, if stderr is a terminal. */
    progress(line: string): void {
      if (!shows) return;
      clear();
      // A line that wraps could not be removed again. A terminal without a size says that it has 0 columns.
      stream.write([...plain(line)].slice(0, Math.max(1, (stream.columns || 80) - 1)).join(''));
      shown = true;
    },
    paint: (colour: keyof typeof colours, text: string) =>
      hasColours ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text,
  };
}

/** Control characters, and those that turn the direction of the text behind them. */
const steering = /(?![\n\t])[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text that does not steer the terminal: a server's text or the name of a file must not. */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(steering, ' ');
}

/** JSON of the same value that does not steer the terminal either. */
export function plainJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replaceAll(
    steering,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** `3725.4` as `1:02:05`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const pad = (value: number): string => String(value).padStart(2, '0');
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}

/** `1234567` as `1.2 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
