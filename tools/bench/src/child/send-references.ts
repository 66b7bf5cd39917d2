// Sends one request with 30 MB of audio, after one small one, and prints how long it took and what memory it needed.
import { ReadableStream } from 'node:stream/web';
import { encode } from '@msgpack/msgpack';
import { createSpeechClient } from '@speech-api/client';
import { peakMemory } from '../measure.ts';
import { requestWithReferences } from '../request-with-references.ts';

const [, , name = 'ours', baseUrl = ''] = process.argv;
const apiKey = 'bench-key';
const request = requestWithReferences();
const client = createSpeechClient({ baseUrl, apiKey });
const headers = { authorization: `Bearer ${apiKey}`, model: 's2-pro', 'content-type': 'application/msgpack' };

const senders: Record<string, (sent: typeof request) => Promise<unknown>> = {
  ours: async (sent) => (await client.speech.create(sent)).bytes(),
  hand: (sent) => post(encode(sent)),
  // The floor: the same bytes of audio as they lie in memory, in slices, and nothing around them.
  raw: (sent) => post(ReadableStream.from(slicesOf(sent)) as BodyInit),
};

async function post(body: BodyInit): Promise<unknown> {
  const init = { method: 'POST', headers, body, duplex: 'half' };
  return (await fetch(`${baseUrl}/v1/tts`, init)).arrayBuffer();
}

function* slicesOf({ references }: typeof request): Generator<Uint8Array> {
  const size = 64 * 1024;
  for (const { audio } of references)
    for (let start = 0; start < audio.length; start += size) yield audio.subarray(start, start + size);
}

const small = { audio: new Uint8Array(1000), text: 'Short.' };
await senders[name]?.({ ...request, references: [small, small, small] });
let milliseconds = 0;
const megabytes = await peakMemory(async () => {
  const begin = performance.now();
  await senders[name]?.(request);
  milliseconds = performance.now() - begin;
});
process.stdout.write(`${JSON.stringify({ milliseconds, megabytes })}\n`, () => process.exit());
