import { expect, onTestFinished, test } from 'vitest';
import { startProcess } from './sandbox-process.ts';

const bytes = 64 * 2 ** 20;
const program = `
  let held;
  process.on('message', (message) => {
    if (message === 'report') return;
    held = message === 'hold' ? Array.from({ length: 64 }, () => new Uint8Array(${bytes} / 64).fill(1)) : undefined;
    process.send({});
  });
  process.channel.ref();
  console.log('ready');
`;

test('a report counts the buffers that a process holds, and none that it has dropped', async () => {
  const measured = await startProcess(['-e', program], { isMeasured: true });
  onTestFinished(async () => void (await measured.kill('SIGKILL')));
  const before = await measured.ask('report');
  await measured.ask('hold');
  const holding = await measured.ask('report');
  await measured.ask('drop');
  const after = await measured.ask('report');
  expect((holding.usedBytes - before.usedBytes) / bytes).toBeCloseTo(1, 1);
  expect((after.usedBytes - before.usedBytes) / bytes).toBeCloseTo(0, 1);
});
