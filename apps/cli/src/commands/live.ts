import { createInterface } from 'node:readline';
import { connectLive, type LiveConnection, type LiveRequest } from '@speech-api/live';
import type { AudioFormat } from '@speech-api/types';
import { defaultSampleRates } from '@speech-api/types/constants';
import { given } from '../given.ts';
import { expectWritable, type Output, openOutput } from '../output.ts';
import { openPlayer } from '../player.ts';
import { printJson, type Session } from '../session.ts';
import { formatOf, type SoundOptions, soundOf } from '../sound.ts';
import { size } from '../terminal.ts';
import { UsageError } from '../usage.ts';

/** Formats whose utterances, one after the other, are one file. */
const joinable: readonly AudioFormat[] = ['mp3', 'pcm'];

/** A text that its writer ends, or Ctrl-C. */
interface Writing {
  readonly ended: AbortSignal;
  /** True once some text has arrived. */
  hasText: boolean;
}

/** Speaks what is typed, line by line, or what comes through a pipe, while it is written. */
export async function live(
  session: Session,
  options: SoundOptions,
  inputs: readonly string[],
): Promise<void> {
  const { terminal, signal, interrupt } = session;
  const { output: path, force } = options;
  const isTyped = inputs.length === 0 && process.stdin.isTTY === true;
  if (isTyped && (process.env.CI || !process.stderr.isTTY))
    throw new UsageError('There is no terminal to type on. Pipe a text into: speech live');
  const format = liveFormat(session, options, isTyped);
  const request = soundOf(format, options, session) as LiveRequest;
  const end = new AbortController();
  const writing: Writing = { ended: end.signal, hasText: false };
  const texts = isTyped ? typedLines(session, writing) : [whatIsPiped(inputs, writing)];
  // An existing file is reported before anything is sent.
  if (path !== undefined) await expectWritable(path, { force });
  const file = path === undefined ? undefined : await openOutput(path, { force, isWav: format === 'wav' });
  const open = (): Promise<Output> => openPlayer(format, options.rate ?? defaultSampleRates[format], signal);
  if (file?.path !== undefined)
    interrupt.finish = () => {
      if (!writing.hasText) return false;
      terminal.note(
        'the text ends here; waiting for its audio. Ctrl-C again stops at once and leaves no file',
      );
      end.abort();
      return true;
    };
  let connection: LiveConnection | undefined;
  try {
    connection = await connectLive(session.client(), request, given({ signal, model: options.model }));
    let bytes = 0;
    let milliseconds: number | undefined;
    for await (const text of texts) {
      const output = file ?? (await open());
      try {
        const speech = connection.speak(text);
        for await (const audio of speech) {
          await output.write(audio);
          if (!isTyped) terminal.progress(`speaking: ${size(speech.metrics.bytes)}`);
        }
        bytes += speech.metrics.bytes;
        milliseconds ??= speech.metrics.firstAudioMilliseconds;
        if (file === undefined) await output.finish();
      } finally {
        if (file === undefined) await output.discard();
      }
    }
    await file?.finish();
    if (options.json && path !== '-')
      printJson(given({ output: path, bytes, format, first_audio_milliseconds: milliseconds }));
    else if (!isTyped) {
      const place = path === undefined ? 'played' : `wrote ${path},`;
      terminal.note(`${place} ${size(bytes)}, first audio after ${Math.round(milliseconds ?? 0)} ms`);
    }
  } finally {
    interrupt.finish = undefined;
    terminal.clear();
    connection?.close();
    // After an error, its writer may go on for long.
    if (!isTyped) process.stdin.destroy();
    await file?.discard();
  }
}

function liveFormat(session: Session, options: SoundOptions, isTyped: boolean): AudioFormat {
  if (options.output === undefined) return options.format ?? 'wav';
  const format = formatOf(options, session);
  if (!isTyped || joinable.includes(format)) return format;
  throw new UsageError(
    `Lines that are typed become one file in ${joinable.join(' or ')}, not in ${format}. For ${format}, pipe the text.`,
  );
}

/** One text: the arguments, or stdin as it comes. */
function whatIsPiped(inputs: readonly string[], writing: Writing): string | AsyncIterable<string> {
  const text = inputs.join(' ');
  if (inputs.length === 0 || text === '-') return decoded(writing);
  if (text.trim() === '') throw new UsageError('There is no text to speak.');
  return text;
}

async function* decoded(writing: Writing): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const read = (piece?: Buffer): string => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      throw new UsageError('stdin is not UTF-8 text.');
    }
  };
  writing.ended.addEventListener('abort', () => process.stdin.destroy());
  try {
    for await (const piece of process.stdin) {
      const text = read(piece);
      if (text.trim() !== '') writing.hasText = true;
      yield text;
    }
    yield read();
  } catch (error) {
    // Reading what was destroyed fails.
    if (writing.ended.aborted) return;
    throw error;
  }
  if (!writing.hasText) throw new UsageError('There is no text to speak.');
}

/** Each line that has words in it, until Ctrl-D. */
async function* typedLines(
  { terminal, signal }: Session,
  writing: Writing,
): AsyncGenerator<string, void, undefined> {
  terminal.note('Type a line and hear it. Ctrl-D ends.');
  const [input, output] = [process.stdin, process.stderr];
  const lines = createInterface({ input, output, terminal: true, prompt: '> ' });
  // The terminal is in raw mode here, so that Ctrl-C comes as a key.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  // Ctrl-D may come while a line is spoken.
  let isOpen = true;
  lines.once('close', () => {
    isOpen = false;
  });
  const stop = (): void => lines.close();
  for (const ended of [signal, writing.ended]) ended.addEventListener('abort', stop, { once: true });
  try {
    lines.prompt();
    for await (const line of lines) {
      if (line.trim() !== '') {
        writing.hasText = true;
        yield line;
      }
      if (writing.ended.aborted) return;
      if (isOpen) lines.prompt();
    }
    signal.throwIfAborted();
  } finally {
    signal.removeEventListener('abort', stop);
    lines.close();
  }
}
