import { expect, test } from 'vitest';
import { type CommandLine, createCommandLine } from './command-line.ts';

function read(words: readonly string[]): CommandLine | undefined {
  let values: CommandLine | undefined;
  createCommandLine((options) => {
    values = options;
  }).parse(words, { from: 'user' });
  return values;
}

test('reads every option', () => {
  const options = [
    '--port 0 --host ::1 --data x --seed team.json --concurrency 5 --training-seconds 0.5',
    '--allow-origin https://a.example --lenient',
    '--fault on --fault status=503 --record bodies',
  ];
  const words = options.join(' ').split(' ');
  expect(read(words)).toMatchObject({
    port: 0,
    host: '::1',
    data: 'x',
    seed: 'team.json',
    concurrency: 5,
    trainingSeconds: 0.5,
    allowOrigin: ['https://a.example'],
    lenient: true,
    fault: ['on', 'status=503'],
    record: 'bodies',
  });
});

test.each([
  [['--concurrency', '0'], '--concurrency'],
  [['--training-seconds', '-1'], '--training-seconds'],
  [['--colour'], '--colour'],
])('refuses %j and names the option', (args, words) => {
  expect(() => read(args)).toThrow(words);
});
