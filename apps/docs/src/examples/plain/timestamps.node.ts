import { writeFile } from 'node:fs/promises';

interface SpeechEvent {
  audio_base64: string;
  alignment: {
    segments: { text: string; start: number; end: number }[];
  } | null;
  chunk_seq: number;
  chunk_audio_offset_sec: number;
}

const response = await fetch(
  `${process.env.SPEECH_BASE_URL}/v1/tts/stream/with-timestamp`,
  {
    method: 'POST',
    headers: {
      authorization: `Bearer ${process.env.SPEECH_API_KEY}`,
      'content-type': 'application/json',
      model: 's2-pro',
    },
    body: JSON.stringify({
      text: 'Every word knows its time.',
      format: 'opus',
    }),
  },
);
if (!response.ok)
  throw new Error(`${response.status}: ${await response.text()}`);

const audio: Buffer[] = [];
const snapshots = new Map<number, SpeechEvent>();
for (const line of (await response.text()).split(/\r\n|\n|\r/)) {
  if (!line.startsWith('data: {')) continue;
  const event: SpeechEvent = JSON.parse(line.slice('data: '.length));
  audio.push(Buffer.from(event.audio_base64, 'base64'));
  // A snapshot replaces the one before it; null changes nothing.
  if (event.alignment !== null) snapshots.set(event.chunk_seq, event);
}
await writeFile('speech.opus', Buffer.concat(audio));

for (const {
  alignment,
  chunk_audio_offset_sec: offset,
} of snapshots.values()) {
  for (const { text, start } of alignment?.segments ?? []) {
    console.log((offset + start).toFixed(2), text);
  }
}
