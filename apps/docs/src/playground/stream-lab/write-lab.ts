import { defaultSandboxUrl } from '../connection/sandbox-address.ts';
import { keyVariable } from '../evidence/recorded-request.ts';
import { sandboxKey, writeCurl } from '../evidence/write-curl.ts';
import { literal } from '../evidence/write-value.ts';
import type { Transcript } from './transcript.ts';

/** The program that replays a transcript up to an event, as the lab does. */
export function writeReplaying(address: string, events: number, isBroken: boolean): string {
  const cut = isBroken ? `\n  throw new Error('the connection was closed');` : '';
  return `import { readSpeechEvents, Timeline } from '@speech-api/streaming';

const file = await (await fetch(${literal(address)})).text();
const lines: unknown[] = file.trim().split('\\n').map((line) => JSON.parse(line));

async function* body() {
  for (const line of lines) {
    if (Array.isArray(line)) yield Uint8Array.from(atob(line[1]), (byte) => byte.charCodeAt(0));
  }${cut}
}

const timeline = new Timeline();
let events = 0;
let bytes = 0;
for await (const event of readSpeechEvents(body())) {
  // The audio of the event after these belongs to what is not shown yet.
  if (event.type === 'audio-chunk' && events === ${events}) break;
  timeline.apply(event);
  if (event.type !== 'audio-chunk') continue;
  events += 1;
  bytes += event.audio.length;
}
console.log(bytes, timeline.chunks, timeline.segments);`;
}

/** Where the recording is, and the call that it answers. */
export function writeLabCommands(address: string, { request }: Transcript): string {
  const call = {
    method: request.method,
    url: `${defaultSandboxUrl}${request.path}`,
    headers: [['authorization', `Bearer ${keyVariable}`] as const, ...Object.entries(request.headers)],
    body: JSON.stringify(request.body),
  };
  return `# The recording that is replayed
curl --silent ${address}

# The call that it answers
${writeCurl(call, sandboxKey)}`;
}
