import type { Connection } from '../connection/connection.ts';
import { indent, literal, writeClient, writeValue } from '../evidence/write-value.ts';
import { type SpeakingCall, startSeconds } from './speaking.ts';

/** The program that does what the page does with a call: one voice or several. */
export function writeSpeaking({ connection, request, model, format }: SpeakingCall): string {
  return `import { createPlayer } from '@speech-api/audio/play';
import { createSpeechClient } from '@speech-api/client';

${writeClient(connection satisfies Connection)}

const player = createPlayer({
  format: ${literal(format)},
  startSeconds: ${startSeconds},
  seekable: true,
});
const stream = await client.speech.streamWithTimestamps(
  ${indent(writeValue(request), 2)},
  { model: ${literal(model)} },
);

const lamp = setInterval(() => {
  const word = stream.timeline.wordAt(player.currentTime);
  document.title = word?.text ?? '';
}, 30);

for await (const event of stream) {
  if (event.type === 'audio-chunk') await player.write(event.audio);
}
await player.end();
await player.finished;
clearInterval(lamp);

// Hear it again from its third word, and save what was said.
await player.seek(stream.timeline.segments[2]?.start ?? 0);
console.log(stream.timeline.toVtt(), stream.timeline.toSrt());`;
}
