import { readFileSync } from 'node:fs';
import { CommanderError, onInterrupt, withoutSeparator } from '@speech-api/program';
import { addCompletion } from './completion.ts';
import { createProgram } from './program.ts';
import type { Interrupt } from './session.ts';
import { createTerminal, plain, plainJson } from './terminal.ts';
import { exitCodes } from './usage.ts';

/** Runs one command line. @returns the exit code */
export async function runSpeech(args: readonly string[], version: string): Promise<number> {
  const words = withoutSeparator(args);
  const abort = new AbortController();
  const interrupt: Interrupt = {
    signal: abort.signal,
    finish: undefined,
    writesFiles: false,
    outputFailure: undefined,
  };
  let isFinishing = false;
  const stop = (signal: NodeJS.Signals): boolean => {
    // A terminal that closes says so, and its shell may say it again.
    if (isFinishing && signal === 'SIGHUP') return false;
    if (!isFinishing && interrupt.finish?.()) {
      isFinishing = true;
      return false;
    }
    abort.abort(new Error(`stopped by ${signal}`));
    return true;
  };
  const release = onInterrupt(stop, [
    'SIGINT',
    'SIGTERM',
    ...(endsWithTerminal() ? (['SIGHUP'] as const) : []),
  ]);
  // Reading stdin would last until its writer ends. In raw mode a prompt has it, and gives it back itself.
  abort.signal.addEventListener('abort', () => process.stdin.isRaw || process.stdin.destroy());
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
    await addCompletion(program, words[0] === 'complete');
    await program.parseAsync(words, { from: 'user' });
    await new Promise((resolve) => process.stdout.write('', resolve));
    const { outputFailure: cause } = interrupt;
    if (cause) throw new Error(`stdout could not be written: ${cause.message}`, { cause });
    return isFinishing ? exitCodes.interrupted : exitCodes.done;
  } catch (error) {
    // An error of the parser comes before the options are known.
    const end = words.indexOf('--');
    const json = words.slice(0, end < 0 ? words.length : end).includes('--json');
    return await report(error, { ...program.opts(), json }, abort.signal, complaint);
  } finally {
    release();
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
    process.stderr.write(`${plainJson({ error: { kind, message, hint, code } })}\n`);
  } else {
    const line = `${plain(message)}${hint === undefined ? '' : ` (${hint})`}`;
    process.stderr.write(`${terminal.paint('red', 'speech:')} ${line}\n`);
  }
  if (options.verbose) process.stderr.write(`${plain(details(error))}\n`);
  return code;
}

function details(error: unknown): string {
  if (!(error instanceof Error)) return '';
  const { status, traceId, documentation } = error as Error & Readonly<Record<string, unknown>>;
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
