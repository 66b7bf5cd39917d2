// The sandbox in a process of its own, which measures itself: a parent asks by messages.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startSandbox } from '../src/index.ts';

const resolution = 10;
const [seed] = process.argv.slice(2);
const failures: string[] = [];
const sandbox = await startSandbox({
  ...(seed === undefined ? {} : { seed }),
  logger: (line) => {
    if (line.startsWith('failed') && failures.length < 20) failures.push(line);
  },
});
const delay = monitorEventLoopDelay({ resolution });
let mostMemory = 0;
const look = () => {
  mostMemory = Math.max(mostMemory, process.memoryUsage.rss());
};
setInterval(look, 250).unref();
// The interval of the measurement itself is part of what the histogram holds.
const milliseconds = (nanoseconds: number) =>
  Math.max(0, Math.round(nanoseconds / 1e5 - resolution * 10) / 10);
let before = process.cpuUsage();

process.on('message', async (message) => {
  if (message === 'begin') {
    before = process.cpuUsage();
    mostMemory = 0;
    delay.enable();
  }
  if (message === 'report') {
    delay.disable();
    look();
    const { user, system } = process.cpuUsage(before);
    process.send?.({
      loopP50: milliseconds(delay.percentile(50)),
      loopP99: milliseconds(delay.percentile(99)),
      loopMost: milliseconds(delay.max),
      memory: process.memoryUsage.rss(),
      mostMemory,
      processorSeconds: (user + system) / 1e6,
      failures,
    });
  }
  if (message === 'end') {
    await sandbox.close();
    process.exit(0);
  }
});
process.send?.({ url: sandbox.url });
