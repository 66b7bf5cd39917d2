import { CommanderError } from 'commander';
import { addCompletion } from './completion.ts';
import { createProgram } from './program.ts';
import type { Interrupt } from './session.ts';
import { createTerminal, plain } from './terminal.ts';
import { exitCodes } from './usage.ts';

/** Runs one command line. @returns the exit code */
export async function runSpeech(argv: readonly string[], version: string): Promise<number> {
  const abort = new AbortController();
  const interrupt: Interrupt = { signal: abort.signal, finish: undefined };
  let isFinishing = false;
  const stop = (signal: NodeJS.Signals): void => {
    // After it was aborted, Ctrl-C does not wait for anything.
    if (abort.signal.aborted) process.exit(exitCodes.interrupted);
    if (!isFinishing && interrupt.finish?.()) isFinishing = true;
    else abort.abort(new Error(`stopped by ${signal}`));
  };
  // Whoever waits for stdin would wait until its writer ends. In raw mode a prompt has it, and gives it back itself.
  abort.signal.addEventListener('abort', () => process.stdin.isRaw || process.stdin.destroy());
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  for (const stream of [process.stdout, process.stderr]) {
    // Whoever reads has seen enough: `speech voices list | head -1`.
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      abort.abort(error);
    });
  }
  const program = createProgram(version, interrupt);
  try {
    await addCompletion(program, argv[2] === 'complete');
    await program.parseAsync([...argv]);
    return isFinishing ? exitCodes.interrupted : exitCodes.done;
  } catch (error) {
    return await report(error, program.opts(), abort.signal);
  } finally {
    process.removeListener('SIGINT', stop);
    process.removeListener('SIGTERM', stop);
  }
}

async function report(
  error: unknown,
  options: { json?: boolean; verbose?: boolean },
  signal: AbortSignal,
): Promise<number> {
  // Commander has written its own line, for help and versions too.
  if (error instanceof CommanderError) {
    // A text such as "-5 degrees".
    if (error.code === 'commander.unknownOption' && /'-(?:\d|\S*\s)/.test(error.message))
      process.stderr.write(
        '(A text that begins with - goes last, after --, as in: speech speak -o FILE -- "-5 degrees")\n',
      );
    return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
  }
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  if (isClosedPipe(reason) || isClosedPipe(error)) return exitCodes.done;
  const terminal = createTerminal(options);
  if (signal.aborted) {
    terminal.clear();
    process.stderr.write('speech: stopped; no unfinished file was left\n');
    return exitCodes.interrupted;
  }
  // Loaded here, because it knows every error of the client, and most runs have none.
  const { explain } = await import('./failures.ts');
  const { message, hint, code } = explain(error);
  terminal.clear();
  if (options.json) {
    const kind = error instanceof Error ? error.name : 'Error';
    process.stderr.write(`${JSON.stringify({ error: { kind, message, hint, code } })}\n`);
  } else {
    const line = `${plain(message)}${hint === undefined ? '' : ` (${hint})`}`;
    process.stderr.write(`${terminal.paint('red', 'speech:')} ${line}\n`);
  }
  if (options.verbose) process.stderr.write(`${plain(details(error))}\n`);
  return code;
}

function details(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { status, traceId, documentation } = error as {
    status?: unknown;
    traceId?: unknown;
    documentation?: unknown;
  };
  const facts = Object.entries({ status, trace: traceId, documentation }).filter(
    ([, value]) => value !== undefined,
  );
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : '';
  return `${facts.map(([name, value]) => `${name}: ${String(value)}\n`).join('')}${error.stack}${cause}`;
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
