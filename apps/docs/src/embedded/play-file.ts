import { createPlayer } from '@speech-api/audio/play';
import { audioFormats } from '@speech-api/types';

/** Plays a file of this site. Resolves when it was heard to its end, or stopped. */
export async function playFile(
  address: string,
  name: string,
  sampleRate: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const format = audioFormats.find((known) => known === name);
  if (format === undefined) throw new Error(`“${name}” is not a format of the service.`);
  const player = createPlayer({ format, ...(sampleRate === undefined ? {} : { sampleRate }) });
  const stop = (): void => void player.stop();
  signal.addEventListener('abort', stop);
  try {
    const response = await fetch(address, { signal });
    if (!response.ok) throw new Error(`the file answered ${response.status}`);
    await player.write(new Uint8Array(await response.arrayBuffer()));
    await player.end();
    await player.finished;
  } finally {
    signal.removeEventListener('abort', stop);
    await player.stop();
  }
}
