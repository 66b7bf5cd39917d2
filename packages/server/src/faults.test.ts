import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readFaultOption, readFaults, readRule } from './faults.ts';

test('reads faults with their units', () => {
  expect(readFaults('delay=1.5s, cut=0 drip=1000,malformed-event=3 status=429')).toEqual({
    delayMilliseconds: 1500,
    cutAfterBytes: 0,
    dripBytesPerSecond: 1000,
    malformedEvent: 3,
    status: 429,
  });
});

test.each([
  ['status=200', '400 to 599'],
  ['delay=5', '500ms'],
  ['cut=-1', 'bytes'],
  ['drip=0', 'at least 1'],
  ['malformed-event=0', 'counted from 1'],
  ['cut=1 cut=2', 'twice'],
  ['toString=1', 'Unknown fault'],
  ['POST /v1/tts', 'names no fault'],
  ['GET /v1/asr status=500', 'No operation is called by GET /v1/asr'],
  ['POST /v1/ttss status=503', 'POST /v1/tts,'],
  ['status=500 every=0', 'every'],
  ['', 'names no fault'],
])('refuses the rule "%s"', (rule, words) => {
  expect(() => readRule(rule)).toThrow(words);
});

test.each(['/model/some-voice status=503', 'GET /wallet/* status=500', 'GET /wal* status=500'])(
  'takes the rule "%s", whose path an operation can have',
  (rule) => {
    expect(() => readRule(rule)).not.toThrow();
  },
);

test('reads rules from a file, and names the line that is not valid', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'speech-faults-')), 'faults.txt');
  onTestFinished(() => rm(dirname(file), { recursive: true }));
  await writeFile(file, '# flaky speech\n\nPOST /v1/tts status=503 every=3 # now and then\ndelay=50ms\n');
  expect(readFaultOption(['on', `@${file}`])).toEqual(['POST /v1/tts status=503 every=3', 'delay=50ms']);
  await writeFile(file, 'delay=50ms\ndelay=fast\n');
  expect(() => readFaultOption([`@${file}`])).toThrow(`${file}, line 2`);
});
