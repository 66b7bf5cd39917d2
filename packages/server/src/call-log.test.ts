import { readWavHeader } from '@speech-api/audio';
import type { AudioFormat } from '@speech-api/types';
import { expect, test } from 'vitest';
import { Refusal } from './answer.ts';
import { CallLog, type OpenCall } from './call-log.ts';
import { answerCallPage } from './call-pages.ts';
import type { IncomingRequest } from './receive.ts';

const request: IncomingRequest = { method: 'GET', url: '/model', headers: {}, body: [] };
const logged = { request, traceId: '', key: undefined };
const mebibyte = 1_048_576;

function spoken(log: CallLog, pieces: readonly Uint8Array[], format: AudioFormat): OpenCall {
  const call = log.open(logged);
  call.speaks({ format, sample_rate: 8000 });
  for (const piece of pieces) call.heard(piece);
  return call;
}

test('keeps the last ten thousand calls, and counts all that were wrong', () => {
  const log = new CallLog();
  const issue = { loc: [], type: '', msg: '', ctx: '' };
  for (let count = 0; count < 10_050; count += 1) {
    const call = log.open(logged);
    if (count < 100) call.refused(new Refusal('schema', { message: '', issues: [issue] }));
    call.ended({ isComplete: true, milliseconds: 1 });
  }
  expect(log.calls).toHaveLength(10_000);
  expect(log.invalid).toBe(100);
});

test('keeps 32 MiB of audio, the latest, and none unless bodies are recorded', () => {
  const log = new CallLog(undefined, 'bodies');
  const pieces = [new Uint8Array(6 * mebibyte), new Uint8Array(6 * mebibyte)];
  for (let count = 0; count < 3; count += 1) spoken(log, pieces, 'mp3');
  expect(log.calls.map(({ audio }) => audio?.kept)).toEqual([false, true, true]);
  expect(log.calls[0]?.audio?.bytes).toBe(12 * mebibyte);
  const latest = log.calls.at(-1);
  log.clear();
  expect(latest?.audio?.kept).toBe(false);
  expect(spoken(new CallLog(), pieces, 'mp3').audio?.kept).toBe(false);
});

test('makes pcm a wav file, and gives a streamed wav its true sizes', () => {
  const log = new CallLog(undefined, 'bodies');
  const pcm = spoken(log, [new Uint8Array(60), new Uint8Array(40)], 'pcm').playable();
  expect(pcm?.mediaType).toBe('audio/wav');
  const bytes = Buffer.from(pcm?.bytes ?? []);
  expect(readWavHeader(bytes)).toMatchObject({ declaredDataBytes: 100, sampleRate: 8000, channels: 1 });
  bytes.writeUInt32LE(0xffffffff, 40);
  const wav = spoken(log, [bytes], 'wav').playable();
  expect(readWavHeader(wav?.bytes ?? bytes)?.declaredDataBytes).toBe(100);
  expect(bytes.readUInt32LE(40)).toBe(0xffffffff);
});

test('has a page that runs nothing but its own files, and plays what was kept, in parts too', () => {
  const log = new CallLog(undefined, 'bodies');
  const { id } = spoken(log, [Buffer.from('abcdefgh')], 'mp3');
  const pages = { name: 'mock', log, exampleKey: 'any-key' };
  const get = (url: string, headers = {}) =>
    answerCallPage(pages, { ...request, url, headers: { host: '<b>', ...headers } }, () => {});
  const html = String(get('/')?.body);
  expect(get('/')?.headers['content-security-policy']).toMatch(/^default-src 'none'/);
  expect(get('/')?.headers['content-security-policy']).not.toContain('unsafe');
  expect(html).toContain('<html lang="en">');
  expect(html).not.toMatch(/style=|<style|<script>|onclick|<b>/);
  for (const [, file = ''] of html.matchAll(/(?:src|href)="(\/[^"]+)"/g)) expect(get(file)?.status).toBe(200);
  const url = `/__calls/${id}/audio`;
  expect(get(url)).toMatchObject({ status: 200, headers: { 'content-type': 'audio/mpeg' } });
  const part = get(url, { range: 'bytes=2-5' });
  expect(part).toMatchObject({ status: 206, headers: { 'content-range': 'bytes 2-5/8' } });
  expect(String(part?.body)).toBe('cdef');
  expect(get(url, { range: 'bytes=8-' })?.status).toBe(416);
  expect(() => get('/__calls/999/audio')).toThrow('not kept');
});
