import { expect, test } from 'vitest';
import { readCommandLine } from './command-line.ts';

test('reads every option, behind a separator too', () => {
  const options = [
    '-- --port 0 --host ::1 --data x --seed team.json --concurrency 5 --training-seconds 0.5',
    '--allow-origin https://a.example --lenient',
    '--fault on --fault status=503 --show-text',
  ];
  const words = options.join(' ').split(' ');
  expect(readCommandLine(words)).toMatchObject({
    port: 0,
    host: '::1',
    data: 'x',
    seed: 'team.json',
    concurrency: 5,
    trainingSeconds: 0.5,
    allowOrigin: ['https://a.example'],
    lenient: true,
    faults: ['status=503'],
    showText: true,
  });
});

test.each([
  [['--concurrency', '0'], '--concurrency'],
  [['--training-seconds', '-1'], '--training-seconds'],
  [['--fault', '@not-there.txt'], 'not-there.txt'],
  [['--colour'], '--colour'],
])('refuses %j and names the option', (args, words) => {
  expect(() => readCommandLine(args)).toThrow(words);
});
