import { parentPort } from 'node:worker_threads';
import { Fingerprinter } from '../recall/fingerprint.ts';
import { listen, type OpenOptions } from './listen.ts';
import { findVoice, Levels, Pitch, syllableRate, voiceLevel } from './measure.ts';
import { UnreadableAudioError } from './sound.ts';
import type { ReadReply, ReadRequest } from './uploads.ts';

// The program of a reading thread. Files of strangers are decoded here: whatever one of them does to a decoder, the
// thread can be ended.

if (parentPort === null) throw new Error('This module is the program of a worker thread.');
const port = parentPort;
const reply = (message: ReadReply): void => port.postMessage(message);

port.on('message', (request: ReadRequest) => {
  read(request).then(reply, (error: unknown) => {
    // What a decoder says of a damaged file is about its own insides.
    const message = error instanceof UnreadableAudioError ? error.message : 'it is damaged';
    reply({ type: 'failed', message });
  });
});

async function read({ task, bytes, mostSeconds, outsideDecoder }: ReadRequest): Promise<ReadReply> {
  const options: OpenOptions = {
    mostSeconds,
    onProgress: createReporter(),
    outside: outsideDecoder === undefined ? undefined : outside(outsideDecoder),
  };
  const levels = new Levels();
  if (task === 'hear') {
    const fingerprinter = new Fingerprinter();
    const facts = await listen(bytes, [levels, fingerprinter], options);
    const frames = facts.decoded ? fingerprinter.end() : new Uint32Array(0);
    return { type: 'heard', file: { ...facts, voice: findVoice(levels.all), frames } };
  }
  const pitch = new Pitch();
  const facts = await listen(bytes, [levels, pitch], options);
  const voice = findVoice(levels.all);
  return {
    type: 'inspected',
    clip: {
      ...facts,
      voice,
      loudness: voiceLevel(levels.all, voice),
      pitch: pitch.median,
      syllableRate: syllableRate(levels.all, voice),
    },
  };
}

/** Tells of progress ten times a second at most: a file has a hundred thousand packets. */
function createReporter(): () => void {
  let last = 0;
  return () => {
    const now = performance.now();
    if (now - last < 100) return;
    last = now;
    reply({ type: 'progress' });
  };
}

function outside(program: string): OpenOptions['outside'] {
  return {
    program,
    onStart: (pid) => reply({ type: 'child', pid, running: true }),
    onEnd: (pid) => reply({ type: 'child', pid, running: false }),
  };
}
