let stopCurrent: (() => void) | undefined;

/** One sound at a time on a page: call it when a sound begins, and what is heard already is stopped. */
export function beginSound(stop: () => void): void {
  if (stopCurrent !== stop) stopCurrent?.();
  stopCurrent = stop;
}
