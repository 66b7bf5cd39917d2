// Loaded into a sandbox by its test: on SIGUSR2 it collects what nobody needs and writes what is left to stderr.
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  process.on('SIGUSR2', () => {
    globalThis.gc();
    const { heapUsed, external } = process.memoryUsage();
    process.stderr.write(`${JSON.stringify({ usedBytes: heapUsed + external })}\n`);
  });
}
