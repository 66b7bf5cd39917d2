import { readFile, stat } from 'node:fs/promises';
import { CannotJudge } from '../command/failures.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { isObject } from '../specification/document.ts';
import { readHar } from './read-har.ts';
import { isTranscript, readTranscript } from './read-transcript.ts';

/** Bytes: what a JavaScript string can hold, halved. */
export const mostFileBytes = 256 * 1024 * 1024;

/**
 * Reads recorded traffic: a HAR file, or a transcript of the spec.
 *
 * @throws CannotJudge when a file is neither, too large, or not there
 */
export async function readRecording(
  file: string,
): Promise<{ exchanges: readonly Exchange[]; ignored: number }> {
  const text = await readText(file);
  if (isTranscript(text)) return { exchanges: [readTranscript(text, file)], ignored: 0 };
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    const why = (error as Error).message.replace(/\s+/g, ' ').slice(0, 120);
    throw new CannotJudge(`${file}: it is neither a HAR file nor a transcript; it is no JSON: ${why}`);
  }
  if (!isObject(value) || !isObject(value.log)) {
    throw new CannotJudge(
      `${file}: it is neither a HAR file (no "log") nor a transcript (no "transcript" in its first line).`,
    );
  }
  return readHar(value, file);
}

async function readText(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > mostFileBytes) {
      throw new CannotJudge(
        `${file}: it has ${size} bytes, at most ${mostFileBytes} are read. Record less, or split it.`,
      );
    }
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof CannotJudge) throw error;
    throw new CannotJudge(`${file}: it can't be read: ${(error as Error).message}`);
  }
}
