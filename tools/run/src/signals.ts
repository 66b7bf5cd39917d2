/** Waits for Ctrl-C or a request to end. A second Ctrl-C ends the process at once, whatever is still closing. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    const first = () => {
      process.off('SIGINT', first);
      process.off('SIGTERM', first);
      resolve();
    };
    process.on('SIGINT', first);
    process.on('SIGTERM', first);
  });
}
