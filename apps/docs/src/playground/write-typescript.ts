import type { PlaygroundSettings } from './settings.ts';
import { startSeconds, toRequest } from './settings.ts';
import { sandboxKey } from './write-curl.ts';

/** The program that does what the page does with these settings. */
export function writeTypescript(settings: PlaygroundSettings): string {
  const key = settings.apiKey === sandboxKey ? literal(sandboxKey) : 'yourKey';
  return `import { createPlayer } from '@speech-api/audio/play';
import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient({
  baseUrl: ${literal(settings.baseUrl)},
  apiKey: ${key},
  allowBrowserKey: true, // every visitor can read it
});

const player = createPlayer({
  format: ${literal(settings.format)},
  startSeconds: ${startSeconds},
});
const stream = await client.speech.streamWithTimestamps(
  ${indent(writeValue(toRequest(settings)), 2)},
  { model: ${literal(settings.model)} },
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
clearInterval(lamp);`;
}

function writeValue(value: unknown): string {
  if (typeof value === 'string') return literal(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${writeValue(field)}`);
  const oneLine = `{ ${fields.join(', ')} }`;
  return oneLine.length <= 60 ? oneLine : `{\n${fields.map((field) => `  ${field},`).join('\n')}\n}`;
}

function literal(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

function indent(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
