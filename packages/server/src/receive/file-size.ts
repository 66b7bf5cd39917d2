import { limits } from '@speech-api/types';
import { Refusal } from '../refuse/refusal.ts';

/**
 * Section 8: a file of 20 MB, refused only above the larger reading of the unit.
 *
 * @param body of a transcription request, decoded and not judged yet
 * @throws Refusal `file-too-large`
 */
export function refuseLargeFile(body: unknown): void {
  const audio = typeof body === 'object' && body !== null ? (body as { audio?: unknown }).audio : undefined;
  const most = limits.transcriptionFileBytesRefusedAbove;
  const largest = [audio].flat().find((each) => each instanceof Uint8Array && each.length > most);
  if (!(largest instanceof Uint8Array)) return;
  const message = `\`audio\` has ${largest.length} bytes; at most 20 MB are taken (refused above ${most} bytes). Split the recording.`;
  throw new Refusal('file-too-large', { message });
}
