import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import { inspectMp3 } from './inspect-mp3.ts';
import { inspectOpus } from './inspect-opus.ts';
import { inspectWav } from './inspect-wav.ts';
import { sniff } from './sniff.ts';

/** Seconds that a file of audio lasts, in any common format; `undefined` when it can't be read. */
export async function lengthOf(bytes: Uint8Array): Promise<number | undefined> {
  const looks = sniff(bytes);
  if (looks === 'wav') return inspectWav(bytes).seconds;
  if (looks === 'mp3') return (await inspectMp3(bytes)).seconds;
  if (looks === 'opus') return (await inspectOpus(bytes)).seconds;
  try {
    const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });
    return await input.computeDuration();
  } catch {
    return undefined;
  }
}
