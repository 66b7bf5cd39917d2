import { type MessagePort, threadId } from 'node:worker_threads';
import type { Job, JobReport } from '@speech-api/server';
import { Fingerprinter } from '../recall/fingerprint.ts';
import { listen, type OpenOptions } from './listen.ts';
import { findVoice, Levels, Pitch, syllableRate, voiceLevel } from './measure.ts';
import { UnreadableAudioError } from './sound.ts';
import type { ReadReply, ReadRequest } from './uploads.ts';

// The program of a reading thread. Strangers' files are decoded here: whatever one of them does to a decoder, the
// thread can be ended. What decoders write about such a file on the error stream is of no use to anybody.
process.stderr.write = () => true;

/** Reads one file. */
export async function doJob({ task: request, control }: Job<ReadRequest>): Promise<ReadReply> {
  control.postMessage({ type: 'started', threadId } satisfies JobReport);
  try {
    return await answer(request, control);
  } catch (error) {
    // A decoder's message about a damaged file describes its own internals.
    return error instanceof UnreadableAudioError ? error.message : 'it is damaged';
  }
}

async function answer(request: ReadRequest, control: MessagePort): Promise<ReadReply> {
  const { task, bytes, maximumSeconds } = request;
  const options: OpenOptions = { maximumSeconds, outside: outsideDecoder(request, control) };
  const levels = new Levels();
  if (task === 'hear') {
    const fingerprinter = new Fingerprinter();
    const facts = await listen(bytes, [levels, fingerprinter], options);
    const frames = facts.decoded ? fingerprinter.end() : new Uint32Array(0);
    return { ...facts, voice: findVoice(levels.all), frames };
  }
  const pitch = new Pitch();
  const facts = await listen(bytes, [levels, pitch], options);
  const voice = findVoice(levels.all);
  return {
    ...facts,
    voice,
    frames: new Uint32Array(0),
    loudness: voiceLevel(levels.all, voice),
    pitch: pitch.median,
    syllableRate: syllableRate(levels.all, voice),
  };
}

function outsideDecoder(
  { outsideDecoder: program, processorTime }: ReadRequest,
  control: MessagePort,
): OpenOptions['outside'] {
  if (program === undefined) return undefined;
  const report = (pid: number, running: boolean): void =>
    control.postMessage({ type: 'child', pid, running } satisfies JobReport);
  return {
    program,
    processorSeconds: Math.ceil(processorTime / 1000),
    onStart: (pid) => report(pid, true),
    onEnd: (pid) => report(pid, false),
  };
}
