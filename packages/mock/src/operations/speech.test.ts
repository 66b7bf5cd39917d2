import { expect, test } from 'vitest';
import { audioOf, eventsOf, speak, start, stream } from '../testing/mocks.ts';

const text = 'The baker opens at six, and the first customers are already waiting outside.';

// Formats, rates and durations of audio, alone and in events, and the times of words are proven by the files formats and
// timestamps of tools/e2e/test.

test('section 2.1: the same request gets the same bytes, from every mock', async () => {
  const [first, second] = [await start(), await start()];
  const request = { text, format: 'mp3', latency: 'balanced' };
  const bodies = [];
  for (const mock of [first, second, first]) bodies.push(await (await stream(mock, request)).text());
  expect(new Set(bodies).size).toBe(1);
});

test('section 2.4: transcripts by their name, in the format that was asked for', async () => {
  const mock = await start();
  const play = async (example: string): Promise<Awaited<ReturnType<typeof eventsOf>>> => {
    const events = await eventsOf(
      await stream(mock, { text, format: 'opus' }, { prefer: `example=${example}` }),
    );
    expect(audioOf(events).toString('latin1', 0, 4)).toBe('OggS');
    return events;
  };
  expect((await play('one-chunk')).map(({ alignment }) => alignment?.segments.length)).toEqual([
    undefined,
    1,
    3,
    3,
    3,
  ]);
  expect((await play('null-alignments')).every(({ alignment }) => alignment === null)).toBe(true);
  expect((await play('repeated-snapshots')).map(({ alignment }) => alignment?.segments.length)).toEqual([
    1, 1, 1, 2, 2, 2, 3, 3, 3,
  ]);
  expect((await play('two-chunks-balanced')).map(({ chunk_seq }) => chunk_seq)).toEqual([
    0, 0, 0, 0, 1, 1, 1,
  ]);
  expect((await play('chinese-characters')).at(-1)?.alignment?.segments.map((word) => word.text)).toEqual([
    ...'今天天气很好',
  ]);
});

test('section 2.4: a transcript that breaks the rules, for readers that have to cope', async () => {
  const mock = await start();
  const marked = await stream(mock, { text }, { prefer: 'example=out-of-order' });
  expect(await marked.text()).toMatch(/data: \[DONE\]\n\n$/);
  const cut = await stream(mock, { text }, { prefer: 'example=cut-in-the-middle' });
  await expect(cut.text()).rejects.toThrow();
});

test('an hour of events is generated while it is read, and stopped when the reader stops', async () => {
  const mock = await start();
  const prefer = { prefer: 'example=one-hour' };
  const before = process.memoryUsage().arrayBuffers;
  let bytes = 0;
  const seen: string[] = [];
  let tail = '';
  const response = await stream(mock, { text, format: 'mp3', mp3_bitrate: 64 }, prefer);
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    tail = (tail + Buffer.from(chunk).toString('latin1')).slice(-20_000);
    if (seen.length < 3) seen.push(tail);
  }
  expect(bytes).toBeGreaterThan(30_000_000);
  const last = JSON.parse(tail.trimEnd().split('\n\n').at(-1)?.replace('data: ', '') ?? '');
  const seconds = last.chunk_audio_offset_sec + last.alignment.audio_duration;
  // Two chunks per repetition, and one more repetition would be more than an hour.
  const repetitions = (last.chunk_seq + 1) / 2;
  expect(Number.isInteger(repetitions)).toBe(true);
  expect(seconds).toBeLessThanOrEqual(3_600);
  expect(seconds + seconds / repetitions).toBeGreaterThan(3_600);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
  const events = await stream(mock, { text }, prefer);
  await events.body?.cancel();
});

test('the example of the document is answered as it is written there', async () => {
  const mock = await start();
  const response = await stream(mock, { text }, { prefer: 'example=streamOfTwoChunks' });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  expect(await response.text()).toMatch(/^event: message\ndata: \{"audio_base64":"T2dn/);
});

test('section 2.1, without effect: settings that would change how a voice sounds', async () => {
  const mock = await start();
  const ask = async (settings: object): Promise<Buffer> =>
    Buffer.from(await (await speak(mock, { text, format: 'pcm', ...settings })).arrayBuffer());
  const usual = await ask({});
  for (const settings of [
    { temperature: 0, top_p: 0 },
    { repetition_penalty: 2, early_stop_threshold: 0, condition_on_previous_chunks: false },
    { normalize: false, max_new_tokens: 1 },
    { prosody: { volume: 20, normalize_loudness: false } },
    { reference_id: 'anybody' },
    { references: [{ audio: 'AQID', text: 'a' }] },
  ]) {
    expect(Buffer.compare(await ask(settings), usual)).toBe(0);
  }
});

test('section 2.1: chunk_length, min_chunk_length and latency decide how many text chunks there are', async () => {
  const mock = await start();
  const chunks = async (settings: object): Promise<number> => {
    const body = await (await stream(mock, { text: 'It is six. '.repeat(30), ...settings })).text();
    return new Set(body.match(/"chunk_seq":\d+/g)).size;
  };
  const [short, more, most] = [
    await chunks({}),
    await chunks({ chunk_length: 100 }),
    await chunks({ latency: 'balanced', min_chunk_length: 0 }),
  ];
  expect([short < more, more < most]).toEqual([true, true]);
});
