import { Timeline, toCues } from '@speech-api/streaming';
import type { Transcription } from '@speech-api/types';
import type { Connection } from '../connection/fields.ts';
import { writeClient } from '../evidence/write-code.ts';
import { indent, writeValue } from '../evidence/write-value.ts';
import { find } from '../page/page.ts';
import { Stage } from '../text/stage.ts';
import type { ClipSource } from './sources.ts';

/** The captions of a transcript: each goes on from its time when it is pressed, its words lit as they are heard. */
export class CaptionList {
  readonly #list: HTMLElement;
  readonly #stage: Stage;
  readonly #seek: (seconds: number) => void;
  #timeline = new Timeline();
  #lit = -1;
  #cue: Element | undefined;

  constructor(island: HTMLElement, seek: (seconds: number) => void) {
    this.#list = find(island, '[data-captions]');
    this.#seek = seek;
    this.#stage = new Stage(this.#list, (index) => seek(this.#timeline.segments[index]?.start ?? 0));
  }

  clear(): void {
    this.#timeline = new Timeline();
    this.#stage.show([]);
    this.#list.replaceChildren();
    this.#lit = -1;
    this.#cue = undefined;
  }

  show({ text, duration, segments }: Transcription): void {
    this.clear();
    // A transcript is what a stream would be with one snapshot of one chunk.
    this.#timeline.apply({
      type: 'alignment-update',
      chunk_seq: 0,
      chunk_audio_offset_sec: 0,
      content: text,
      alignment: { audio_duration: duration, segments: [...segments] },
    });
    const pages = toCues(segments).map(({ start, lines }) => {
      const button = document.createElement('button');
      button.type = 'button';
      const time = document.createElement('span');
      time.className = 'cue-time';
      time.textContent = clock(start);
      const root = document.createElement('span');
      root.className = 'cue-text words';
      button.append(time, root);
      button.addEventListener('click', (event) => {
        // If a word of it was pressed, the stage reports that.
        if (event.target === button || event.target === time || event.target === root) this.#seek(start);
      });
      const item = document.createElement('li');
      item.append(button);
      this.#list.append(item);
      return { text: lines.join(' '), root };
    });
    this.#stage.show(pages);
    this.#stage.place(this.#timeline.segments);
  }

  /** Lights what is said at this moment. */
  light(seconds: number): void {
    const index = this.#timeline.indexAt(seconds);
    if (index === this.#lit) return;
    this.#lit = index;
    this.#stage.light(index);
    const cue = index < 0 ? undefined : this.#list.children[this.#stage.pageOf(index)];
    if (cue === this.#cue) return;
    this.#cue?.removeAttribute('data-lit');
    cue?.setAttribute('data-lit', '');
    this.#cue = cue;
  }
}

function clock(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${minutes}:${(seconds - minutes * 60).toFixed(1).padStart(4, '0')}`;
}

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
  isLong = false,
): string {
  if (isLong) return writeTranscribingLong(connection, source, settings);
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

/** The same for a recording that is too long for one call. */
function writeTranscribingLong(
  connection: Connection,
  source: ClipSource,
  { language }: TranscribeSettings,
): string {
  const chosen = language === '' ? '' : `\n  language: ${writeValue(language)},`;
  return `import { createSpeechClient } from '@speech-api/client';
import { transcribeRecording } from '@speech-api/recordings';

${writeClient(connection)}

${audioFrom[source]}

// Cut in pauses, sent side by side, and put together with the times of the whole.
const transcript = await transcribeRecording(client, audio, {${chosen}
  onProgress: ({ finishedParts, cutParts, seconds }) =>
    console.log(finishedParts, cutParts, seconds),
});
console.log(transcript.text, transcript.toVtt(), transcript.toSrt());`;
}
