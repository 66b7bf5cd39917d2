import { expect, test } from 'vitest';
import { EngineProcess } from './engine-pool.ts';
import { engineProtocol, type Utterance } from './protocol.ts';

const ready = `${JSON.stringify({ type: 'ready', protocol: engineProtocol, sample_rate: 22_050 })}\n`;

test('is gone after it was killed, also while it has much to say that nobody reads', async () => {
  const talk = `const more = () => process.stdout.write('x'.repeat(65536), more); process.stdout.write(${JSON.stringify(ready)}, more);`;
  const engine = new EngineProcess({
    command: [process.execPath, '--eval', talk],
    deadline: 10_000,
    startDeadline: 10_000,
  });
  await engine.started;
  // By now the pipe is full and the reader has stopped reading.
  await new Promise((resolve) => setTimeout(resolve, 500));
  engine.kill();
  // Without an end the test runs into its own deadline.
  await engine.ended;
});

test('is not silent because its reader was: a wait that begins as the time runs out has its whole time', async () => {
  const deadline = 2000;
  const talk = `
    process.stdout.write(${JSON.stringify(ready)});
    process.stdin.once('data', () => console.log('{"type":"events","events":[]}'));
    process.on('SIGUSR2', () => console.log('{"type":"done"}'));`;
  const engine = new EngineProcess({
    command: [process.execPath, '--eval', talk],
    deadline,
    startDeadline: 60_000,
  });
  await engine.started;
  const outputs = engine.speak({ text: 'a' } as Utterance);
  await outputs.next();
  // Both timers are due when this thread goes on: first the one of the silence, then the reader's.
  const again = new Promise((resolve) => setTimeout(resolve, deadline)).then(() => outputs.next());
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, deadline + 10);
  setImmediate(() => setImmediate(() => process.kill(engine.processId ?? 0, 'SIGUSR2')));
  expect(await again).toEqual({ value: undefined, done: true });
  engine.kill();
  await engine.ended;
});
