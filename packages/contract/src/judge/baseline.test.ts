import { expect, test } from 'vitest';
import type { Exchange } from '../exchange.ts';
import { credit, exchange, failed, speech, success, voiceModel } from '../testing/exchanges.ts';
import { judge } from './judge.ts';
import { baselineOf, exitCodeOf } from './report.ts';

const drifted = () => judge([exchange('getApiCredit', { body: credit({ mood: 'calm' }) })]);

test('drift fails a check that asks for it, until the baseline knows it', async () => {
  const report = await drifted();
  expect(exitCodeOf(report)).toBe(0);
  expect(exitCodeOf(report, { failOn: 'drift' })).toBe(1);
  const again = await judge([exchange('getApiCredit', { body: credit({ mood: 'calm' }) })], {
    baseline: baselineOf(report),
  });
  expect(exitCodeOf(again, { failOn: 'drift' })).toBe(0);
});

test('a known violation stays known when its value changes the next day', async () => {
  const updated = (updated_at: string) => exchange('getModel', { body: voiceModel({ updated_at }) });
  const baseline = baselineOf(await judge([updated('Sat, 28 Nov 2026')]));
  expect(exitCodeOf(await judge([updated('Sun, 29 Nov 2026')], { baseline }))).toBe(0);
  expect(exitCodeOf(await judge([updated('Sun, 29 Nov 2026')]))).toBe(1);
  // Some files of version 1 hold the value of their day.
  const known = baseline.known.map((entry) => ({ ...entry, actual: '"Sat, * Nov *"' }));
  const dated = { version: 1 as const, known };
  expect(exitCodeOf(await judge([updated('Sun, 29 Nov 2026')], { baseline: dated }))).toBe(0);
});

test('a baseline that is written anew keeps its reasons', async () => {
  const report = await drifted();
  const [entry] = baselineOf(report).known;
  if (entry === undefined) throw new Error('nothing is found');
  const before = { version: 1 as const, known: [{ ...entry, reason: 'Told in May.' }] };
  expect(baselineOf(report, before)).toEqual(before);
});

test('a known refusal of MessagePack hides no refusal of JSON, no other status and no other call', async () => {
  const call = (name: string, encoding: string, status: number) => ({
    ...failed('createSpeech', status, {}, { name, expectation: success, sent: {} }),
    request: { ...exchange('createSpeech').request, headers: { 'content-type': encoding } },
  });
  const spoken = { ...speech({}, new Uint8Array(), 'audio/mpeg'), expectation: success };
  const known415 = call('as MessagePack', 'application/msgpack', 415);
  const baseline = baselineOf(await judge([spoken, known415]));
  const verdictOf = async (exchange: Exchange) => {
    const { findings } = await judge([spoken, known415, exchange], { baseline });
    return findings.filter(({ rule, known: isKnown }) => rule === 'success-expected' && isKnown !== true);
  };
  expect(await verdictOf(spoken)).toEqual([]);
  expect(await verdictOf(call('as JSON', 'application/json', 400))).toHaveLength(1);
  expect(await verdictOf(call('as MessagePack', 'application/json', 415))).toHaveLength(1);
  expect(await verdictOf(call('as MessagePack', 'application/msgpack', 400))).toHaveLength(1);
});
