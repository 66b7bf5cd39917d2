import { type Example, event, examplesWith, stream } from '../exchanges.ts';
import { opusOf, pcmOf } from '../sound.ts';

const half = 8000;
const audio = pcmOf(1, 8000);
const [first, second] = [audio.subarray(0, half), audio.subarray(half)];
const told = (events: readonly (object | string)[], more: object = {}) =>
  stream({ format: 'pcm', sample_rate: 8000 }, events, more);
const good = () => told([event(first, { alignment: null }), event(second)]);
const later = (changes: object) =>
  event(audio, { chunk_seq: 1, chunk_audio_offset_sec: 1, content: 'In.', ...changes });
const two = (changes: object = {}) => told([event(audio), later(changes)]);
const segmentsOf = (...segments: readonly object[]) => ({ alignment: { audio_duration: 1, segments } });
const line = JSON.stringify(event(audio));

const words = (spoken: readonly string[], content = 'The tide comes in.') =>
  stream({ format: 'pcm', sample_rate: 8000, normalize: false }, [
    event(audio, {
      content,
      ...segmentsOf(...spoken.map((text, index) => ({ text, start: index / 4, end: (index + 1) / 4 }))),
    }),
  ]);

const shows = examplesWith(() => [good()]);

export const streamExamples: readonly Example[] = [
  shows('one-payload-an-event', told([`data: {"audio_base64":\ndata: ""}\n\n`])),
  shows(
    'one-payload-an-event: another name',
    told([`event: audio\ndata: ${line}\n\n`]),
    told([`event: message\ndata: ${line}\n\n`]),
  ),
  shows('one-payload-an-event: no blank', told([`data:${line}\n\n`])),
  shows('one-payload-an-event: no JSON', told(['data: {"audio_base64"\n\n'])),
  shows('one-payload-an-event: an event that is not ended', told([event(first), `data: ${line}\n`])),
  shows('one-payload-an-event: no object', told([event(audio), 'data: 7\n\n'])),
  shows('every-event-carries-audio', told([event(audio, { audio_base64: 'AB-_' })])),
  shows('every-event-carries-audio: no padding', told([event(audio, { audio_base64: 'AAA' })])),
  shows('every-event-carries-audio: none', told([event(audio), event(new Uint8Array())])),
  shows('chunks-join-to-the-audio', told([event(audio.subarray(0, -1))])),
  shows(
    'chunks-join-to-the-audio: another format',
    stream({ format: 'wav', sample_rate: 8000 }, [event(audio)]),
  ),
  shows(
    'chunks-join-to-the-audio: opus whose last page is not marked as the last',
    stream({ format: 'opus' }, [event(await opusOf(1, 24_000, 1, 0.5, false))]),
    [good()],
    { severity: 'warning' },
  ),
  shows(
    'offset-belongs-to-the-chunk',
    told([event(first), event(second, { chunk_audio_offset_sec: 0.02 })]),
    two(),
  ),
  shows('body-ends-cleanly', told([event(first)], { ended: 'cut' })),
  shows(
    'snapshot-covers-the-last-one',
    told([event(first), event(second, { alignment: { audio_duration: 0.2, segments: [] } })]),
  ),
  shows(
    'segments-in-order',
    told([
      event(audio, segmentsOf({ text: 'a', start: 0.5, end: 0.6 }, { text: 'b', start: 0.1, end: 0.2 })),
    ]),
  ),
  shows(
    'segments-in-order: beyond the audio',
    told([event(audio, segmentsOf({ text: 'a', start: 0, end: 1.5 }))]),
  ),
  shows('no-end-marker', told([event(audio), 'data: [DONE]\n\n'])),
  shows('stream-has-events', told([])),
  shows('offset-follows-the-chunks', two({ chunk_audio_offset_sec: 0.5 }), two()),
  shows('offset-follows-the-chunks: always zero', two({ chunk_audio_offset_sec: 0 }), two(), {
    severity: 'error',
  }),
  shows(
    'segments-in-order: times of the whole stream',
    two(segmentsOf({ text: 'in', start: 1.2, end: 1.6 })),
    two(),
    { severity: 'error' },
  ),
  shows(
    'offset-follows-the-chunks: the first one',
    told([event(audio, { chunk_audio_offset_sec: 3 })]),
    two(),
  ),
  shows('alignment-covers-the-audio', told([event(audio), event(audio)]), two()),
  shows('stream-times-unit', told([event(audio, { alignment: { audio_duration: 1000, segments: [] } })])),
  shows(
    'stream-times-unit: of segments',
    told([event(audio, segmentsOf({ text: 'The', start: 0, end: 900 }))]),
  ),
  shows('stream-times-unit: of offsets', two({ chunk_audio_offset_sec: 1000 }), two()),
  shows('chunk-seq-has-no-gaps', two({ chunk_seq: 2 }), two()),
  shows('chunk-seq-has-no-gaps: back to an earlier one', told([later({}), event(audio)]), two()),
  shows('content-belongs-to-the-chunk', told([event(first), event(second, { content: 'Other.' })]), two()),
  shows('content-belongs-to-the-chunk: none', told([event(audio, { content: '' })]), two()),
  shows('stream-tells-times', told([event(audio, { alignment: null })])),
  shows('segments-have-text', told([event(audio, segmentsOf({ text: ' ', start: 0, end: 1 }))])),
  shows('only-data-lines', told([event(first), ': still here\n\n', event(second)])),
  shows('words-are-spoken', words(['The', 'tide', 'comes']), words(['The', 'tide', 'comes', 'in'])),
  shows(
    'words-are-spoken: half of the text',
    words(['The', 'tide'], 'The tide'),
    words(['The', 'tide', 'comes', 'in']),
  ),
  shows(
    'times-are-told',
    told([event(audio, segmentsOf({ text: 'The', start: 0, end: 0 }, { text: 'tide', start: 0, end: 0 }))]),
  ),
];
