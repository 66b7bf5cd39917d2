import spawn from 'cross-spawn';

/** Splits the words behind `--`, a command to run while a server listens, from the options before it. */
export function splitCommand(words: readonly string[]): {
  readonly options: readonly string[];
  readonly command: readonly string[] | undefined;
} {
  // A script runner may pass on its own separator as the first word, before an option.
  const isOfRunner = words[0] === '--' && words[1]?.startsWith('-') === true;
  const options = isOfRunner ? words.slice(1) : words;
  const place = options.indexOf('--');
  if (place < 0) return { options, command: undefined };
  return { options: options.slice(0, place), command: options.slice(place + 1) };
}

/** Runs a command to its end with its own output. Signals to this process reach it too. @returns its exit code */
export function runCommand(
  [program = '', ...others]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise((resolve) => {
    const settings = { stdio: 'inherit', env: { ...process.env, ...environment } } as const;
    // On Windows, npm and similar programs are scripts, which only this form of `spawn` starts.
    const child = spawn(program, others, settings);
    // A terminal sends Ctrl-C to both processes; SIGTERM is passed on.
    process.on('SIGINT', () => {});
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    child.on('error', (error) => {
      process.stderr.write(`${program} cannot be run: ${error.message}\n`);
      resolve(2);
    });
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}
