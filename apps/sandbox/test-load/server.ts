import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startSandbox } from '../src/index.ts';
import { percentile } from './callers.ts';

// The sandbox in a process of its own, which measures itself: a parent asks by messages.

const resolution = 10;
const [seed] = process.argv.slice(2);
const failures: string[] = [];
const sandbox = await startSandbox({
  ...(seed === undefined ? {} : { seed }),
  logger: (line) => {
    if (line.startsWith('failed') && failures.length < 20) failures.push(line);
  },
});
// What the thread has worked between two timers: a bound of what any of its turns took, however busy the machine is.
const worked: number[] = [];
let cpuBefore = process.threadCpuUsage();
setInterval(() => {
  const { user, system } = process.threadCpuUsage(cpuBefore);
  cpuBefore = process.threadCpuUsage();
  worked.push((user + system) / 1000);
}, 5).unref();
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
    worked.length = 0;
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
      workedP99: percentile(worked, 0.99),
      workedMost: percentile(worked, 1),
      failures,
    });
  }
  if (message === 'end') {
    await sandbox.close();
    process.exit(0);
  }
});
process.send?.({ url: sandbox.url });
