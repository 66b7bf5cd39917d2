import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readSpeechEvents, type SpeechEvent, SpeechStreamError } from './index.ts';
import {
  all,
  base64Of,
  bodyOf,
  bytesOf,
  cut,
  outcomeOf,
  recordedStream,
  streamOf,
  wireEvent,
} from './testing/streams.ts';

const expectedAudio = [79, 103, 103, 83, 0, 255, 254, 1, 2, 3, 4, 5, 6, 7, 8];

async function eventsOf(bytes: Uint8Array): Promise<SpeechEvent[]> {
  return all(readSpeechEvents(bodyOf([bytes])));
}

async function failureOf(bytes: Uint8Array): Promise<SpeechStreamError> {
  const failure: unknown = await eventsOf(bytes).catch((error: unknown) => error);
  expect(SpeechStreamError.isInstance(failure)).toBe(true);
  return failure as SpeechStreamError;
}

describe('cuts', () => {
  test('gives the same audio and timeline for every one-cut split of a recorded stream', async () => {
    const bytes = recordedStream();
    const whole = await outcomeOf([bytes]);
    expect(whole.audio).toEqual(expectedAudio);
    expect(whole.timeline.segments.map(({ text }) => text)).toEqual(['Grüße', '👋🏽', '你', '好']);
    for (let position = 0; position <= bytes.length; position++) {
      expect(await outcomeOf(cut(bytes, position)), `cut at ${position}`).toEqual(whole);
    }
  });

  test('gives the same events for every two-cut split of a short stream', async () => {
    const alignment = { audio_duration: 1, segments: [{ text: '好é', start: 0, end: 1 }] };
    const bytes = bytesOf(
      `\uFEFFdata:${JSON.stringify(wireEvent({ audio_base64: 'AQID', alignment }))}\r\n\r\n:é\rdata:[DONE]\n\n`,
    );
    const whole = JSON.stringify(await eventsOf(bytes));
    expect(whole).toContain('"alignment-update"');
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second++) {
        const events = await all(readSpeechEvents(bodyOf(cut(bytes, first, second))));
        if (JSON.stringify(events) !== whole) expect.fail(`cut at ${first} and ${second}`);
      }
    }
  });

  test('ends cleanly when the body is cut at the boundary of an event and fails everywhere else', async () => {
    const bytes = new Uint8Array([...streamOf(wireEvent(), wireEvent()), ...bytesOf('data: [DONE]\n\n')]);
    const text = new TextDecoder().decode(bytes);
    for (let length = 0; length <= bytes.length; length++) {
      const outcome = await outcomeOf([bytes.subarray(0, length)]).then(
        () => 'clean',
        (error: SpeechStreamError) => error.kind,
      );
      // The end marker is an end even without its blank line.
      const isBoundary = length === 0 || /\n\n$|DONE\]\n?$/.test(text.slice(0, length));
      expect(outcome, `after ${length} bytes`).toBe(isBoundary ? 'clean' : 'truncated');
    }
  });
});

describe('events', () => {
  test('names a chunk once, gives audio for every event and an update for every alignment', async () => {
    const alignment = { audio_duration: 1, segments: [] };
    const events = await eventsOf(
      streamOf(
        wireEvent({ audio_base64: 'AQ==', content: 'one' }),
        wireEvent({ audio_base64: 'Ag==', content: 'one', alignment }),
        wireEvent({ audio_base64: '', content: 'two', chunk_seq: 3, chunk_audio_offset_sec: 1, alignment }),
      ),
    );
    expect(events.map(({ type }) => type)).toEqual([
      'chunk-start',
      'audio-chunk',
      'audio-chunk',
      'alignment-update',
      'chunk-start',
      'audio-chunk',
      'alignment-update',
      'end',
    ]);
    expect(events[4]).toEqual({
      type: 'chunk-start',
      chunk_seq: 3,
      chunk_audio_offset_sec: 1,
      content: 'two',
    });
  });

  test('reads an alignment that is absent like null', async () => {
    const { alignment, ...fields } = wireEvent({ audio_base64: 'AQ==' });
    expect(alignment).toBeNull();
    expect((await eventsOf(streamOf(fields))).map(({ type }) => type)).toEqual([
      'chunk-start',
      'audio-chunk',
      'end',
    ]);
  });

  test('skips comments, unknown fields of one word and events of other names', async () => {
    const lines = ': hello\nretry: soon\nx-note: 1\nother_field\n\nevent: ping\ndata: <html>\n\n';
    expect(await eventsOf(bytesOf(lines))).toEqual([{ type: 'end' }]);
  });
});

describe('faults', () => {
  test.each([
    '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n</html>\r\n',
    '{"status":500,"message":"engine died"}',
    'Traceback (most recent call last):\n  File "serve.py", line 7\nKeyError: 1\n',
    '502 Bad Gateway\n\n',
  ])(
    'takes %j behind a good event for an error, cut anywhere, and keeps it out of the message',
    async (text) => {
      const good = streamOf(wireEvent({ audio_base64: 'AQ==' }));
      const bytes = new Uint8Array([...good, ...bytesOf(text)]);
      for (let position = good.length; position <= bytes.length; position += 1) {
        const events = readSpeechEvents(bodyOf(cut(bytes, position)));
        expect((await events.next()).value).toMatchObject({ type: 'chunk-start' });
        expect((await events.next()).value).toMatchObject({ type: 'audio-chunk' });
        const failure: unknown = await events.next().catch((error: unknown) => error);
        const body = text.split(/\r?\n/)[0] ?? '';
        expect(failure, `cut at ${position}`).toMatchObject({ kind: 'foreign-text', eventIndex: 1, body });
        expect(inspect(failure) + JSON.stringify(failure)).not.toContain(body);
      }
    },
  );

  test.each([
    ['', 'malformed-json'],
    ['{"audio_base64":', 'malformed-json'],
    ['<html>502</html>', 'malformed-json'],
    ['[]', 'invalid-field'],
    ['null', 'invalid-field'],
    ['{"status":500,"message":"gone"}', 'error-event'],
  ])('refuses the data %j as %s', async (data, kind) => {
    expect((await failureOf(bytesOf(`data: ${data}\n\n`))).kind).toBe(kind);
  });

  const segment = { text: 'a', start: 0, end: 1 };
  test.each([
    ['/audio_base64', { audio_base64: 5 }],
    ['/audio_base64', { audio_base64: undefined }],
    ['/content', { content: null }],
    ['/chunk_seq', { chunk_seq: '0' }],
    ['/chunk_seq', { chunk_seq: 0.5 }],
    ['/chunk_audio_offset_sec', { chunk_audio_offset_sec: null }],
    ['/alignment', { alignment: [] }],
    ['/alignment/audio_duration', { alignment: { segments: [] } }],
    ['/alignment/segments', { alignment: { audio_duration: 1, segments: {} } }],
    ['/alignment/segments/1', { alignment: { audio_duration: 1, segments: [segment, 'b'] } }],
    ['/alignment/segments/0/end', { alignment: { audio_duration: 1, segments: [{ text: 'a', start: 0 }] } }],
  ])('names %s in %j', async (field, fields) => {
    const failure = await failureOf(streamOf({ ...wireEvent(), ...fields }));
    expect(failure).toMatchObject({ kind: 'invalid-field', field, eventIndex: 0 });
    expect(failure.message).toMatch(
      /^(The payload|Field \S+) of event 0 is (missing|null|an? \w+); the interface says an? \w+\.$/,
    );
  });

  describe.each([
    ['the decoder of the runtime', {}],
    ['atob', { Buffer: undefined }],
  ])('base64 with %s', (_, globals) => {
    beforeEach(() => Object.entries(globals).forEach(([name, value]) => void vi.stubGlobal(name, value)));
    afterEach(() => void vi.unstubAllGlobals());

    test('gives back any bytes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (bytes) => {
          const events = await eventsOf(streamOf(wireEvent({ audio_base64: base64Of(bytes) })));
          expect(events[1]).toMatchObject({ audio: bytes });
        }),
      );
    });

    test.each(['A', 'AQ', 'AQ=', 'AQI', 'AQ ID', 'A===', '====', 'AQ==AQ==', 'AQIé', '<html>'])(
      'refuses %j',
      async (audio_base64) => {
        expect(await failureOf(streamOf(wireEvent({ audio_base64 })))).toMatchObject({
          kind: 'invalid-base64',
          field: '/audio_base64',
        });
      },
    );
  });

  test.each([
    ['error-event', 'event: error\ndata: no voice for "my text"\n\n'],
    ['error-event', 'data: {"status":500,"message":"my text"}\n\n'],
    ['malformed-json', 'data: {"content":"my text",}\n\n'],
  ])('keeps the text of an error (%s) and quotes it nowhere', async (kind, stream) => {
    const failure = await failureOf(bytesOf(stream));
    expect(failure).toMatchObject({ kind, body: expect.stringContaining('my text') });
    expect(failure.message).toMatch(/\d+ characters/);
    expect(inspect(failure) + JSON.stringify(failure)).not.toContain('my text');
  });

  test('passes on why the body broke off', async () => {
    const reset = new Error('connection reset');
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(streamOf(wireEvent()));
        setTimeout(() => controller.error(reset), 5);
      },
    });
    await expect(all(readSpeechEvents(body))).rejects.toMatchObject({
      kind: 'body-failed',
      message: 'The body broke off after 1 events: connection reset',
      cause: reset,
      eventIndex: 1,
    });
  });

  test('stops reading an endless event at the maximum', async () => {
    let count = 0;
    async function* endless() {
      yield bytesOf('data: ');
      for (; ; count += 1000) yield new Uint8Array(1000).fill(65);
    }
    const reading = all(readSpeechEvents(endless(), { maximumEventLength: 100_000 }));
    await expect(reading).rejects.toMatchObject({ kind: 'event-too-large' });
    expect(count).toBeLessThan(103_000);
  });

  test('refuses an event one character longer than the maximum, however it is cut', async () => {
    const data = JSON.stringify(wireEvent({ audio_base64: base64Of(new Uint8Array(300)) }));
    const bytes = bytesOf(`data: ${data}\n\n`);
    for (const size of [7, bytes.length]) {
      const pieces = cut(
        bytes,
        ...Array.from({ length: Math.ceil(bytes.length / size) - 1 }, (_, index) => (index + 1) * size),
      );
      const read = (maximumEventLength: number) =>
        all(readSpeechEvents(bodyOf(pieces), { maximumEventLength }));
      expect(await read(data.length)).toHaveLength(3);
      await expect(read(data.length - 1)).rejects.toMatchObject({ kind: 'event-too-large' });
    }
  });

  test('is recognised across copies of the package', () => {
    expect(SpeechStreamError.isInstance({ name: 'SpeechStreamError' })).toBe(true);
    expect(SpeechStreamError.isInstance(new Error('else'))).toBe(false);
  });
});
