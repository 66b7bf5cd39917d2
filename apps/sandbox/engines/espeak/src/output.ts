import { writeSync } from 'node:fs';
import type { EngineMessage } from './protocol.ts';

const standardOutput = 1;
const retryMilliseconds = 2;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Writes one line of the protocol. */
export function writeMessage(message: EngineMessage): void {
  writeAll(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
}

/** Writes the line that announces PCM, and the PCM. */
export function writeAudio(id: string, samples: Int16Array): void {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  writeMessage({ type: 'audio', id, bytes: bytes.length });
  writeAll(bytes);
}

/**
 * Blocks until the reader has taken the bytes: that is how a slow client stops the engine, which works inside
 * one synchronous call and cannot be paused in any other way.
 */
function writeAll(bytes: Uint8Array): void {
  let offset = 0;
  while (offset < bytes.length) {
    try {
      offset += writeSync(standardOutput, bytes, offset);
    } catch (error) {
      if (!isPipeFull(error)) throw error;
      Atomics.wait(sleeper, 0, 0, retryMilliseconds);
    }
  }
}

/** Some systems hand a child a pipe that refuses instead of waiting. */
function isPipeFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
