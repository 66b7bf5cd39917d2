// A process that does nothing: how late it is woken is what the rest of the machine costs everybody.
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolution = 10;
const delay = monitorEventLoopDelay({ resolution });
delay.enable();
process.on('message', () => {
  process.send?.(Math.max(0, Math.round(delay.percentile(99) / 1e5 - resolution * 10) / 10));
  process.disconnect();
});
