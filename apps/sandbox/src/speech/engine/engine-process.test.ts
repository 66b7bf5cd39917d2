import { test } from 'vitest';
import { EngineProcess } from './engine-process.ts';
import { engineProtocol } from './protocol.ts';

test('is gone after it was killed, also while it has much to say that nobody reads', async () => {
  const ready = JSON.stringify(
    `${JSON.stringify({ type: 'ready', protocol: engineProtocol, sample_rate: 22_050 })}\n`,
  );
  const talk = `const more = () => process.stdout.write('x'.repeat(65536), more); process.stdout.write(${ready}, more);`;
  const engine = new EngineProcess({
    command: [process.execPath, '--eval', talk],
    deadline: 10_000,
    startDeadline: 10_000,
  });
  await engine.started;
  // The pipe is full by now, and the reader has turned away.
  await new Promise((resolve) => setTimeout(resolve, 500));
  engine.kill();
  // Without an end the test runs into its own deadline.
  await engine.ended;
});
