// Loaded into a process that is measured: answers the message `report` with what the process holds.
import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay();
  delay.enable();
  process.on('message', (message) => {
    if (message !== 'report') return;
    globalThis.gc();
    // The buffers that one collection frees leave the figure of external memory in the next.
    globalThis.gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    process.send({
      usedBytes: heapUsed + external,
      heldBytes: rss,
      files: readdirSync('/proc/self/fd').length,
      handles: process.getActiveResourcesInfo().length,
      delayMilliseconds: delay.max / 1e6,
    });
    delay.reset();
  });
  // The channel alone must not keep the process alive.
  process.channel.unref();
}
