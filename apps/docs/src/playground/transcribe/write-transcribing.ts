import type { Connection } from '../connection/fields.ts';
import { writeClient } from '../evidence/write-code.ts';
import { indent, writeValue } from '../evidence/write-value.ts';
import type { ClipSource } from './sources.ts';

/** The fields of the request beside the audio. */
export interface TranscribeSettings {
  /** ISO code; left out, the service finds out. */
  readonly language?: string;
  /** Always sent: the interface does not say what leaving it out means. */
  readonly ignore_timestamps: boolean;
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
  isLong = false,
): string {
  const fields = Object.entries(settings).map(([name, value]) => `${name}: ${writeValue(value)}`);
  const hasCaptions = !settings.ignore_timestamps;
  const imported = isLong
    ? `import { transcribeRecording } from '@speech-api/recordings';`
    : hasCaptions && `import { toSrt, toVtt } from '@speech-api/client/captions';`;
  const short = `const transcript = await client.transcriptions.create({
  ${indent(['audio', ...fields].join(',\n'), 2)},
});
console.log(transcript.text, transcript.duration);`;
  const captions = `
for (const { text, start, end } of transcript.segments) console.log(start, end, text);
console.log(toVtt(transcript), toSrt(transcript));`;
  const long = `// Cut in pauses, sent in parallel, and put together with the times of the whole.
const transcript = await transcribeRecording(client, audio, {
  ${settings.language === undefined ? '' : `${fields[0]},\n  `}onProgress: ({ finishedParts, cutParts, seconds }) =>
    console.log(finishedParts, cutParts, seconds),
});
console.log(transcript.text, transcript.toVtt(), transcript.toSrt());`;
  return `import { createSpeechClient } from '@speech-api/client';
${imported ? `${imported}\n` : ''}
${writeClient(connection)}

${audioFrom[source]}

${isLong ? long : short + (hasCaptions ? captions : '')}`;
}
