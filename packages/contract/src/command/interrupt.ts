/** A signal that Ctrl-C and a request to end abort, and the way to stop listening. */
interface Interrupt {
  readonly signal: AbortSignal;
  release(): void;
}

/**
 * The first Ctrl-C aborts, so that what was made is deleted; a second one ends the process at once.
 *
 * @param onFirst says to the person what happens now
 */
export function listenForInterrupt(onFirst: () => void): Interrupt {
  const controller = new AbortController();
  const listen = () => {
    release();
    onFirst();
    controller.abort();
  };
  const release = () => {
    process.off('SIGINT', listen);
    process.off('SIGTERM', listen);
  };
  process.on('SIGINT', listen);
  process.on('SIGTERM', listen);
  return { signal: controller.signal, release };
}
