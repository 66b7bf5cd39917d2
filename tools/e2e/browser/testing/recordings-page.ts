import { createSpeechClient } from '@speech-api/client';
import { type RecordingProgress, transcribeRecording } from '@speech-api/recordings';
import { cutInWorker } from '@speech-api/recordings/browser';

/** What the page did for a file; `ticks` counts how often it was free meanwhile. */
export interface PageOutcome {
  readonly text?: string;
  readonly starts?: readonly number[];
  readonly parts?: number;
  readonly error?: string;
  readonly kind?: unknown;
  readonly ticks: number;
}

async function transcribe(
  baseUrl: string,
  bytes: readonly number[],
  maximumSeconds: number,
  deadline: number,
): Promise<PageOutcome> {
  const client = createSpeechClient({ baseUrl, apiKey: 'sandbox-key', allowBrowserKey: true });
  const file = new File([Uint8Array.from(bytes)], 'recording');
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks += 1;
  }, 50);
  let last: RecordingProgress | undefined;
  try {
    const transcript = await transcribeRecording(client, file, {
      maximumSeconds,
      cut: cutInWorker({ deadline }),
      onProgress: (progress) => {
        last = progress;
      },
    });
    const starts = transcript.segments.map(({ start }) => start);
    return { text: transcript.text, starts, parts: last?.finishedParts ?? 0, ticks };
  } catch (error) {
    const kind = error instanceof Error && 'kind' in error ? error.kind : undefined;
    return { error: String(error), kind, ticks };
  } finally {
    clearInterval(ticking);
  }
}

Object.assign(globalThis, { transcribe });
