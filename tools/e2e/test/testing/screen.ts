import { spawn } from '@lydell/node-pty';
import { cleanEnvironment, speechPath } from './speech-command.ts';

export interface Screen {
  readonly seen: string;
  shows(pattern: RegExp): Promise<void>;
  type(keys: string): void;
  readonly ended: Promise<number>;
}

/** Runs `speech` in a real terminal of 80 columns. */
export function openScreen(
  args: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>>,
): Screen {
  return openTerminal(process.execPath, [speechPath, ...args], folder, environment);
}

export function openTerminal(
  program: string,
  args: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>>,
): Screen {
  const terminal = spawn(program, [...args], {
    cols: 80,
    rows: 24,
    cwd: folder,
    env: cleanEnvironment(folder, { TERM: 'xterm', ...environment }),
  });
  let seen = '';
  const waiting = new Set<() => void>();
  terminal.onData((piece) => {
    seen += piece;
    for (const look of waiting) look();
  });
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
  return {
    get seen() {
      return seen;
    },
    shows: (pattern) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!pattern.test(seen)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    type: (keys) => terminal.write(keys),
    ended,
  };
}
