import { on } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { createOutput, warmUp } from './output.ts';
import type { OutputRequest, OutputTask } from './output-threads.ts';

// The program of an output thread: resampling and encoding, away from the thread that answers requests.

await warmUp();
parentPort?.on('message', (task: OutputTask) => void makeStream(task));

/** Makes the audio of one stream, until its port is closed. */
async function makeStream({ settings, port }: OutputTask): Promise<void> {
  const requests = on(port, 'message', { close: ['close'] });
  try {
    const output = await createOutput(settings);
    try {
      port.postMessage(output.leadingSeconds);
      for await (const [request] of requests as AsyncIterable<[OutputRequest]>) {
        const bytes = await (request === 'end'
          ? output.end()
          : output.write(request.samples, request.decibels));
        port.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
      }
    } finally {
      output.free();
    }
  } catch (error) {
    port.postMessage(error);
  }
}
