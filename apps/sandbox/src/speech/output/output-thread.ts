import { parentPort } from 'node:worker_threads';
import { type AudioOutput, createOutput, warmUp } from './output.ts';
import type { ThreadReply, ThreadRequest } from './output-threads.ts';

// The program of an output thread: resampling and encoding, away from the thread that answers requests.

if (parentPort === null) throw new Error('This module is the program of a worker thread.');
const port = parentPort;
const outputs = new Map<number, AudioOutput>();
const warm = warmUp();

port.on('message', (request: ThreadRequest) => {
  answer(request).then(
    (reply) => {
      if (reply === undefined) return;
      port.postMessage(reply, reply.type === 'bytes' ? [reply.bytes.buffer as ArrayBuffer] : []);
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      port.postMessage({ type: 'failed', stream: request.stream, message } satisfies ThreadReply);
    },
  );
});

async function answer(request: ThreadRequest): Promise<ThreadReply | undefined> {
  const { stream } = request;
  if (request.type === 'open') {
    await warm;
    const output = await createOutput(request.settings);
    outputs.set(stream, output);
    return { type: 'opened', stream, leadingSeconds: output.leadingSeconds };
  }
  const output = outputs.get(stream);
  if (request.type === 'free') {
    output?.free();
    outputs.delete(stream);
    return undefined;
  }
  if (output === undefined) throw new Error('This stream is not open.');
  const bytes =
    request.type === 'write' ? await output.write(request.samples, request.decibels) : await output.end();
  return { type: 'bytes', stream, bytes };
}
