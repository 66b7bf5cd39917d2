import { writeWavHeader } from '@speech-api/audio';

/** Plays a file of this site. Resolves when it was heard to its end, or stopped. */
export async function playFile(
  address: string,
  sampleRate: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(address, { signal });
  if (!response.ok) throw new Error(`the file answered ${response.status}`);
  const bytes = await response.arrayBuffer();
  // Raw samples have no header that a browser could read.
  const header =
    sampleRate === undefined ? [] : [writeWavHeader({ sampleRate, dataBytes: bytes.byteLength })];
  const source = URL.createObjectURL(new Blob([...header, bytes]));
  const audio = new Audio(source);
  try {
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => resolve());
      audio.addEventListener('ended', () => resolve());
      audio.addEventListener('error', () => reject(new Error(audio.error?.message ?? 'it is no audio')));
      audio.play().catch(reject);
    });
  } finally {
    audio.pause();
    URL.revokeObjectURL(source);
  }
}
