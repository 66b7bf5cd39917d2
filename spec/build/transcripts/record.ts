import { writeFileSync } from 'node:fs';
import { sampleRate } from './audio.ts';
import { utterances } from './plans.ts';
import type { Recorded } from './voice.ts';

// Has the texts of the transcripts spoken anew, by a sandbox that runs: `node build/transcripts/record.ts [URL]` in spec.

const [, , baseUrl = 'http://127.0.0.1:4010'] = process.argv;
const voice: Record<string, Recorded> = {};
for (const { content, speed = 1 } of Object.values(utterances)) {
  const response = await fetch(`${baseUrl}/v1/tts/stream/with-timestamp`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox-key', 'content-type': 'application/json', model: 's2-pro' },
    body: JSON.stringify({
      text: content,
      reference_id: /\p{Script=Han}/u.test(content) ? 'sandbox-mei' : 'sandbox-alba',
      format: 'pcm',
      sample_rate: sampleRate,
      prosody: { speed },
    }),
  });
  if (!response.ok) throw new Error(`${response.status} for "${content}": ${await response.text()}`);
  const events = (await response.text())
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
  const audio = Buffer.concat(events.map((event) => Buffer.from(event.audio_base64, 'base64')));
  const { segments } = events.findLast((event) => event.alignment !== null).alignment;
  voice[content] = {
    words: segments.map(({ start, end }: { start: number; end: number }) => [start, end]),
    audio: audio.toString('base64'),
  };
}
writeFileSync(new URL('voice.json', import.meta.url), `${JSON.stringify(voice, null, 1)}\n`);
