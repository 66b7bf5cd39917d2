import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { newFigures, runSession, runStream, summary } from './callers.ts';

// Many callers at once, for a while: `npm run load -- --seconds 60 --streams 50 --sessions 200`.

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    seconds: { type: 'string', default: '60' },
    streams: { type: 'string', default: '50' },
    sessions: { type: 'string', default: '200' },
    accounts: { type: 'string', default: '10' },
    'turn-seconds': { type: 'string', default: '20' },
  },
});
const seconds = Number(values.seconds);
const accounts = Number(values.accounts);
const turnSeconds = Number(values['turn-seconds']);

const folder = await mkdtemp(join(tmpdir(), 'speech-load-'));
const seed = join(folder, 'seed.json');
const keys = Array.from({ length: accounts }, (_, index) => `load-${index}`);
await writeFile(
  seed,
  JSON.stringify({
    accounts: keys.map((key) => ({
      key,
      user: { _id: key },
      api_credit: { credit: '1000.00' },
      concurrency: 50,
    })),
  }),
);
const loadBefore = loadavg()[0] ?? 0;
const server = fork(fileURLToPath(new URL('./server.ts', import.meta.url)), [seed]);
const [{ url }] = await once(server, 'message');
// Warm engines, as a sandbox that has been up for a moment has.
const keyOf = (index: number) => keys[index % keys.length] ?? '';
const warmUp = newFigures();
await runStream(url, { index: 0, key: keyOf(0) }, warmUp, Date.now() + 3000);
server.send('begin');
const control = fork(fileURLToPath(new URL('./control.ts', import.meta.url)));

const streams = newFigures();
const sessions = newFigures();
const until = Date.now() + seconds * 1000;
await Promise.all([
  ...Array.from({ length: Number(values.streams) }, (_, index) =>
    runStream(url, { index, key: keyOf(index) }, streams, until),
  ),
  ...Array.from({ length: Number(values.sessions) }, (_, index) =>
    runSession(url, { index, key: keyOf(index), turnSeconds }, sessions, until),
  ),
]);
server.send('report');
const [measured] = await once(server, 'message');
control.send('report');
const [idleDelay] = await once(control, 'message');
server.send('end');
await Promise.race([once(server, 'exit'), sleep(10_000)]);
await rm(folder, { recursive: true });

const result = {
  seconds,
  streams: { callers: Number(values.streams), ...summary(streams) },
  sessions: { callers: Number(values.sessions), ...summary(sessions) },
  server: {
    'event loop delay p50 (ms)': measured.loopP50,
    'event loop delay p99 (ms)': measured.loopP99,
    'event loop delay most (ms)': measured.loopMost,
    'work in one turn p99 (ms)': measured.workedP99,
    'work in one turn most (ms)': measured.workedMost,
    'memory most (MB)': Math.round(measured.mostMemory / 1e6),
    'memory at the end (MB)': Math.round(measured.memory / 1e6),
    'processor time without engines (s)': Math.round(measured.processorSeconds),
  },
  machine: {
    cores: availableParallelism(),
    'event loop delay p99 of an idle process (ms)': idleDelay,
    'load average before': loadBefore,
    'load average after': loadavg()[0] ?? 0,
  },
};
for (const [name, figures] of Object.entries(result)) {
  if (typeof figures === 'object') console.table({ [name]: figures });
}
const errors = [...streams.errors, ...sessions.errors];
for (const [words, count] of errors) console.log(`${count} x ${words}`);
for (const line of measured.failures) console.log(line);
console.log(JSON.stringify(result));
process.exitCode = errors.length === 0 ? 0 : 1;
