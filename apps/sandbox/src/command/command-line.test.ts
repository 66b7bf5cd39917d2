import { expect, it } from 'vitest';
import { readCommandLine } from './command-line.ts';
import { explainStartError } from './explain-start-error.ts';

it('has defaults', () => {
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

it('reads every option, behind a separator too', () => {
  const given = [
    '--',
    '--port',
    '0',
    '--host',
    '::1',
    '--data',
    'x',
    '--seed',
    'team.json',
    '--concurrency',
    '5',
    '--training-seconds',
    '0.5',
    '--allow-origin',
    'https://a.example',
    '--lenient',
    '--latency-profile',
    'cloud',
    '--chaos',
    'on',
    '--chaos',
    'status=503',
    '--show-text',
  ];
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
    chaos: ['status=503'],
    showText: true,
  });
});

it.each([
  [['--port', '70000'], '--port'],
  [['--port', 'x'], '--port'],
  [['--port'], '--port'],
  [['--concurrency', '0'], '--concurrency'],
  [['--training-seconds', '-1'], '--training-seconds'],
  [['--data', 'x', '--memory'], '--memory'],
  [['--allow-origin', 'staging'], '--allow-origin'],
  [['--latency-profile', 'fast'], 'cloud'],
  [['--chaos'], '--chaos'],
  [['--chaos', 'status=200'], 'status=200'],
  [['--chaos', '@not-there.txt'], 'not-there.txt'],
  [['--colour'], '--colour'],
  [['extra'], 'extra'],
])('refuses %j and names the option', (given, words) => {
  expect(() => readCommandLine(given)).toThrow(words);
});

it.each([
  ['EADDRINUSE', '--port 4011'],
  ['EACCES', 'above 1023'],
  ['EADDRNOTAVAIL', '--host'],
])('says what to do about %s', (code, words) => {
  const error = Object.assign(new Error('x'), { code });
  expect(explainStartError(error, { port: 4010, host: '127.0.0.1' })).toContain(words);
});
