import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Output } from './output.ts';
import { UsageError } from './usage.ts';

/**
 * Starts a program that reads its stdin; `finish` waits for its end. What it complains about becomes the error. Its user may
 * close it, which is no failure: what is written then fails with EPIPE.
 *
 * @param title - Its name in errors.
 */
export function openPipe(
  name: string,
  options: readonly string[],
  signal: AbortSignal,
  title: string,
): Output {
  const child = spawn(name, options, { stdio: ['pipe', 'ignore', 'pipe'], windowsHide: true });
  let complaint = '';
  child.stderr.on('data', (piece: Buffer) => {
    complaint = `${complaint}${piece.toString()}`.slice(-1000);
  });
  // The write that fails reports the broken pipe.
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', (error) => reject(new UsageError(`${title} does not start: ${error.message}.`)));
    child.once('close', (code) => {
      const reason = complaint.trim().split('\n').at(-1) ?? '';
      if (code === 0 || code === null) resolve();
      else reject(new Error(`${title} failed with ${code}${reason === '' ? '' : `: ${reason}`}`));
    });
  });
  ended.catch(() => {});
  // Ctrl-C reaches it through the terminal; a signal to this process alone does not.
  const stop = (): void => void child.kill();
  signal.addEventListener('abort', stop, { once: true });
  const refuseMore = (): never => {
    const error = new Error(`${title} ended before it had read everything`);
    throw Object.assign(error, { code: 'EPIPE' });
  };
  let bytes = 0;
  return {
    path: undefined,
    get bytes() {
      return bytes;
    },
    async write(piece) {
      bytes += Buffer.byteLength(piece);
      const written = new Promise<void>((resolve, reject) => {
        child.stdin.write(piece, (error) => (error ? reject(error) : resolve()));
      });
      // A program that was closed by its user or failed says more than the pipe that it broke.
      await Promise.race([written.catch(() => ended), ended.then(refuseMore)]);
    },
    async finish() {
      child.stdin.end();
      await ended;
      return bytes;
    },
    async discard() {
      signal.removeEventListener('abort', stop);
      if (child.exitCode === null && child.signalCode === null) child.kill();
      await ended.catch(() => {});
    },
  };
}

/** True if a program is on the PATH. */
export async function isInstalled(name: string): Promise<boolean> {
  const child = spawn(name, ['-version'], { stdio: 'ignore', windowsHide: true });
  return once(child, 'spawn').then(
    () => true,
    () => false,
  );
}
