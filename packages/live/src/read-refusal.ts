import { maximumRefusalBytes } from './defaults.ts';

/** Time for the body of a refusal to arrive. */
const refusalMilliseconds = 1000;

/**
 * As much of the body of a refused upgrade as is worth reading, and what there is of one that breaks off or does not end.
 *
 * @param stop ends the body
 */
export async function readRefusal(
  body: AsyncIterable<Uint8Array>,
  stop: () => void,
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  const timer = setTimeout(stop, refusalMilliseconds);
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk.subarray(0, maximumRefusalBytes - size), { stream: true });
      size += chunk.length;
      if (size >= maximumRefusalBytes) break;
    }
  } catch {
    // The status says enough.
  }
  clearTimeout(timer);
  signal.removeEventListener('abort', stop);
  return text + decoder.decode();
}
