let stopCurrent: (() => void) | undefined;

/** Stops the sound that is heard already: a page calls it whenever a sound begins. */
export function beginSound(stop: () => void): void {
  if (stopCurrent !== stop) stopCurrent?.();
  stopCurrent = stop;
}
