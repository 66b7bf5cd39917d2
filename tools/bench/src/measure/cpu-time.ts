/**
 * Runs work that does not wait, and returns the milliseconds of processor time it took, all threads of the process
 * included. On a busy machine the clock on the wall tells more about the neighbours than about the work.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
