import type { Connection } from '../connection/connection.ts';
import { indent, writeClient, writeValue } from '../evidence/write-value.ts';
import type { ClipSource } from './clip.ts';

/** What is asked beside the recording. */
export interface TranscribeSettings {
  /** ISO code; empty lets the service find out. */
  readonly language: string;
  readonly timestamps: boolean;
}

/** The fields of the request beside the audio. */
export function settingsPart({ language, timestamps }: TranscribeSettings): {
  language?: string;
  ignore_timestamps: boolean;
} {
  // Sent either way: the interface does not say what leaving it out means.
  return { ...(language === '' ? {} : { language }), ignore_timestamps: !timestamps };
}

const audioFrom: Record<ClipSource, string> = {
  file: `const input = document.querySelector<HTMLInputElement>('input[type=file]');
const audio = input?.files?.[0];
if (!audio) throw new Error('choose a file first');`,
  microphone: `const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
const recorder = new MediaRecorder(stream);
const pieces: Blob[] = [];
recorder.ondataavailable = ({ data }) => pieces.push(data);
recorder.start();
await new Promise((resolve) => setTimeout(resolve, 5000));
const stopped = new Promise((resolve) => { recorder.onstop = resolve; });
recorder.stop();
await stopped;
const audio = new File(pieces, 'recording.webm', { type: recorder.mimeType });`,
  service: `const spoken = await client.speech.create({ text: 'Any sentence.' });
const audio = await spoken.blob();`,
};

/** The program that does what the page does. */
export function writeTranscribing(
  connection: Connection,
  source: ClipSource,
  settings: TranscribeSettings,
): string {
  const fields = Object.entries(settingsPart(settings)).map(
    ([name, value]) => `${name}: ${writeValue(value)}`,
  );
  const captions = settings.timestamps
    ? `
for (const { text, start, end } of transcript.segments) console.log(start, end, text);
console.log(toVtt(transcript), toSrt(transcript));`
    : '';
  const imported = settings.timestamps ? `\nimport { toSrt, toVtt } from '@speech-api/client/captions';` : '';
  return `import { createSpeechClient } from '@speech-api/client';${imported}

${writeClient(connection)}

${audioFrom[source]}

const transcript = await client.transcriptions.create({
  ${indent(['audio', ...fields].join(',\n'), 2)},
});
console.log(transcript.text, transcript.duration);${captions}`;
}
