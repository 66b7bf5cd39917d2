// Sends one request with 30 MB of audio, after one small one, and says how long it took and what memory it needed.
import { encode } from '@msgpack/msgpack';
import { createSpeechClient } from '@speech-api/client';
import { requestWithReferences } from '../measure/references.ts';

const [, , name = 'ours', baseUrl = ''] = process.argv;
const apiKey = 'bench-key';
const request = requestWithReferences();
const client = createSpeechClient({ baseUrl, apiKey });
const headers = { authorization: `Bearer ${apiKey}`, model: 's2-pro', 'content-type': 'application/msgpack' };

type Sent = typeof request;
const senders: Record<string, (sent: Sent) => Promise<unknown>> = {
  ours: async (sent) => (await client.speech.create(sent)).bytes(),
  hand: (sent) => post(encode(sent)),
  // The floor: the same bytes of audio as they lie in memory, in slices, and nothing around them.
  raw: (sent) => post(streamOf(sent.references.map(({ audio }) => audio))),
};

async function post(body: BodyInit): Promise<unknown> {
  const response = await fetch(`${baseUrl}/v1/tts`, {
    method: 'POST',
    headers,
    body,
    duplex: 'half',
  } as RequestInit);
  return response.arrayBuffer();
}

function streamOf(parts: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const size = 64 * 1024;
  let part = 0;
  let start = 0;
  return new ReadableStream(
    {
      pull(controller) {
        const bytes = parts[part];
        if (bytes === undefined) return controller.close();
        controller.enqueue(bytes.subarray(start, start + size));
        start += size;
        if (start < bytes.length) return;
        part += 1;
        start = 0;
      },
    },
    { highWaterMark: 0 },
  );
}

const send = senders[name] ?? senders.ours;
const small = { audio: new Uint8Array(1000), text: 'Short.' };
await send?.({ ...request, references: [small, small, small] });
globalThis.gc?.();
const baseline = process.memoryUsage().rss;
let highest = baseline;
const watch = setInterval(() => {
  highest = Math.max(highest, process.memoryUsage().rss);
}, 1);
const begin = performance.now();
await send?.(request);
const milliseconds = performance.now() - begin;
clearInterval(watch);
// Between two looks more may have been in use; the kernel remembers the most of the whole life.
highest = Math.max(highest, process.resourceUsage().maxRSS * 1024);
process.stdout.write(`${JSON.stringify({ milliseconds, megabytes: (highest - baseline) / 1e6 })}\n`);
process.exit();
