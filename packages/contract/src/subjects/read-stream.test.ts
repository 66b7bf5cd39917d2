import { expect, test } from 'vitest';
import { readStream } from './timestamps.ts';

const read = (text: string) => readStream(Buffer.from(text));

test('a stream is cut into events', () => {
  const { events } = read('data: {"a":"海"}\n\ndata: 2\n\n');
  expect(events.map(({ payload }) => payload)).toEqual([{ value: { a: '海' } }, { value: 2 }]);
});

test.each(['\n', '\r\n', '\r'])('takes the line end %j', (end) => {
  const { events, rest } = read(`event: message${end}data: 1${end}${end}: note${end}data: 2${end}${end}`);
  expect(events.map(({ payload }) => payload)).toEqual([{ value: 1 }, { value: 2 }]);
  expect(rest).toBe('');
});

test('a stream keeps what no event has ended', () => {
  expect(read('data: 1\n\ndata: 2\n').rest).toBe('data: 2\n');
  expect(read('data: 1\n\ndata: 2').rest).toBe('data: 2');
});

test('a stream tells data lines, other lines, blocks without data and the end marker apart', () => {
  const stream = read(': hello\n\nid: 7\ndata: 1\ndata: 2\n\nevent: ping\n\ndata: [DONE]\n\n');
  expect(stream.events.map(({ dataLines }) => dataLines)).toEqual([['1', '2']]);
  expect(stream.otherLines).toEqual([': hello', 'id: 7']);
  expect(stream.blocksWithoutData).toBe(1);
  expect(stream.hasEndMarker).toBe(true);
});

test('a stream notices bytes that are not UTF-8', () => {
  expect(readStream(Buffer.from([0x64, 0xff])).isUtf8).toBe(false);
});
