import { on } from 'node:events';
import type { Job } from '@speech-api/server';
import { createOutput, warmUp } from './output.ts';
import type { OutputRequest, OutputTask } from './output-threads.ts';

// The program of an output thread: resampling and encoding, away from the thread that answers requests.

await warmUp();

/** Makes the audio of one stream, until its port is closed. */
export async function doJob({ task: { settings, port } }: Job<OutputTask>): Promise<void> {
  const requests = on(port, 'message', { close: ['close'] });
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
}
