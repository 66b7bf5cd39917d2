import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { addCompletion } from './completion.ts';
import { createProgram } from './program.ts';
import type { Interrupt } from './session.ts';
import { createTerminal, plain } from './terminal.ts';
import { exitCodes } from './usage.ts';

/** Runs one command line. @returns the exit code */
export async function runSpeech(argv: readonly string[], version: string): Promise<number> {
  const abort = new AbortController();
  const interrupt: Interrupt = {
    signal: abort.signal,
    finish: undefined,
    writesFiles: false,
    outputFailure: undefined,
  };
  let isFinishing = false;
  const signals = ['SIGINT', 'SIGTERM', ...(endsWithTerminal() ? (['SIGHUP'] as const) : [])] as const;
  const stop = (signal: NodeJS.Signals): void => {
    // A terminal that closes says so, and its shell may say it again.
    if (signal === 'SIGHUP' && (isFinishing || abort.signal.aborted)) return;
    // After it was aborted, Ctrl-C does not wait for anything.
    if (abort.signal.aborted) process.exit(exitCodes.interrupted);
    if (!isFinishing && interrupt.finish?.()) isFinishing = true;
    else abort.abort(new Error(`stopped by ${signal}`));
  };
  // Reading stdin would last until its writer ends. In raw mode a prompt has it, and gives it back itself.
  abort.signal.addEventListener('abort', () => process.stdin.isRaw || process.stdin.destroy());
  for (const signal of signals) process.on(signal, stop);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') interrupt.outputFailure ??= error;
    // The reader has seen enough: `speech voices list | head -1`.
    else if (!interrupt.writesFiles) abort.abort(error);
  });
  // Nothing depends on messages.
  process.stderr.on('error', () => {});
  let complaint = '';
  const program = createProgram(version, interrupt, (text) => {
    complaint += text;
  });
  try {
    await addCompletion(program, argv[2] === 'complete');
    await program.parseAsync([...argv]);
    await new Promise((resolve) => process.stdout.write('', resolve));
    if (interrupt.outputFailure) throw outputError(interrupt.outputFailure);
    return isFinishing ? exitCodes.interrupted : exitCodes.done;
  } catch (error) {
    // An error of the parser comes before the options are known.
    const end = argv.indexOf('--');
    const json = argv.slice(0, end < 0 ? argv.length : end).includes('--json');
    return await report(error, { ...program.opts(), json }, abort.signal, complaint);
  } finally {
    for (const signal of signals) process.removeListener(signal, stop);
  }
}

/** False under nohup: to listen to the signal would undo it. Where the system does not tell, nohup leaves no terminal. */
function endsWithTerminal(): boolean {
  try {
    const [, ignored = ''] = /^SigIgn:\s*([\da-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    return (BigInt(`0x${ignored}`) & 1n) === 0n;
  } catch {
    return process.stderr.isTTY === true;
  }
}

function outputError(cause: Error): Error {
  return new Error(`stdout could not be written: ${cause.message}`, { cause });
}

async function report(
  error: unknown,
  options: { json?: boolean; verbose?: boolean },
  signal: AbortSignal,
  complaint: string,
): Promise<number> {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
  // A group of commands without a command: its help.
  if (error instanceof CommanderError && error.code === 'commander.help' && !options.json) {
    process.stderr.write(complaint);
    return exitCodes.usage;
  }
  const reason: unknown = signal.aborted ? signal.reason : undefined;
  if (isClosedPipe(reason) || isClosedPipe(error)) return exitCodes.done;
  const terminal = createTerminal(options);
  terminal.clear();
  if (signal.aborted) {
    process.stderr.write('speech: stopped; no unfinished file was left\n');
    return exitCodes.interrupted;
  }
  // Loaded here, because it knows every error of the client, and most runs have none.
  const { explain } = await import('./failures.ts');
  const { message, hint, code } = explain(error);
  if (options.json) {
    const named = error instanceof Error ? error.name : 'Error';
    const kind = error instanceof CommanderError ? 'UsageError' : named;
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
  // Only a site that has an address can be opened.
  const page = URL.canParse(String(documentation)) ? documentation : undefined;
  const facts = Object.entries({ status, trace: traceId, documentation: page }).filter(
    ([, value]) => value !== undefined,
  );
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : '';
  return `${facts.map(([name, value]) => `${name}: ${String(value)}\n`).join('')}${error.stack}${cause}`;
}

function isClosedPipe(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
