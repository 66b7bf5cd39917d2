import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import createModule from '@echogarden/espeak-ng-emscripten';
import { type Engine, loadEngine, timedEvents } from './engine.ts';
import { type EngineMessage, protocolVersion, type SpeakRequest } from './protocol.ts';

const standardOutput = 1;
const retryMilliseconds = 2;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

// Code that has run is several times faster, so the first words are spoken to nobody.
const warmUp = [
  {
    voice: 'en-us',
    text: 'The first words of a process are slow. These are spoken before anybody asks, at 3:15.',
  },
  { voice: 'en-us+f2', text: 'Another voice takes another path.' },
  { voice: 'cmn', text: '今天天气很好，我们去公园。' },
];

const engine = await loadEngine(createModule, { print: toStandardError, printErr: toStandardError });
for (const { voice, text } of warmUp) {
  engine.speak({ type: 'speak', id: '', text, voice, rate: 175, pitch: 50, range: 50 }, () => {});
}
writeMessage({
  type: 'ready',
  protocol: protocolVersion,
  engine: 'espeak-ng',
  sample_rate: engine.sampleRate,
});

// Standard input ends when the client goes away, and the process with it.
for await (const line of createInterface({ input: process.stdin })) {
  if (line.trim() !== '') answer(engine, line);
}

function answer(engine: Engine, line: string): void {
  const request = JSON.parse(line) as SpeakRequest;
  try {
    writeMessage({ type: 'done', id: request.id, samples: speak(engine, request) });
  } catch (error) {
    // Nobody reads any more.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') process.exit(0);
    const message = error instanceof Error ? error.message : String(error);
    writeMessage({ type: 'error', id: request.id, message });
  }
}

function speak(engine: Engine, request: SpeakRequest): number {
  let samples = 0;
  engine.speak(request, (piece, events) => {
    const timed = timedEvents(events);
    if (timed.length > 0) writeMessage({ type: 'events', id: request.id, events: timed });
    if (piece.length > 0) writeAudio(request.id, piece);
    samples += piece.length;
  });
  return samples;
}

function toStandardError(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Writes one line of the protocol. */
function writeMessage(message: EngineMessage): void {
  writeAll(new TextEncoder().encode(`${JSON.stringify(message)}\n`));
}

/** Writes the line that announces PCM, and the PCM. */
function writeAudio(id: string, samples: Int16Array): void {
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
