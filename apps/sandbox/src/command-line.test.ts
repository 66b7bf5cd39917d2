import { expect, test } from 'vitest';
import { readCommandLine } from './command-line.ts';

test('has defaults', () => {
  expect(readCommandLine([])).toEqual({
    port: 4010,
    host: '127.0.0.1',
    allowOrigin: [],
    lenient: false,
    memory: false,
    latencyProfile: 'none',
    showText: false,
    help: false,
    version: false,
  });
});

test('reads every option, behind a separator too', () => {
  const options = [
    '-- --port 0 --host ::1 --data x --seed team.json --concurrency 5 --training-seconds 0.5',
    '--allow-origin https://a.example --lenient --latency-profile cloud',
    '--fault on --fault status=503 --show-text',
  ];
  const given = options.join(' ').split(' ');
  expect(readCommandLine(given)).toMatchObject({
    port: 0,
    host: '::1',
    data: 'x',
    seed: 'team.json',
    concurrency: 5,
    trainingSeconds: 0.5,
    allowOrigin: ['https://a.example'],
    lenient: true,
    latencyProfile: 'cloud',
    faults: ['status=503'],
    showText: true,
  });
});

test.each([
  [['--concurrency', '0'], '--concurrency'],
  [['--training-seconds', '-1'], '--training-seconds'],
  [['--data', 'x', '--memory'], '--memory'],
  [['--latency-profile', 'fast'], 'cloud'],
  [['--fault', '@not-there.txt'], 'not-there.txt'],
  [['--colour'], '--colour'],
])('refuses %j and names the option', (given, words) => {
  expect(() => readCommandLine(given)).toThrow(words);
});
