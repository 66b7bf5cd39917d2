import { type Example, event, stream } from '../../testing/exchanges.ts';
import { pcmOf } from '../../testing/sound.ts';

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

export const streamExamples: readonly Example[] = [
  {
    rule: 'one-payload-an-event',
    keeps: [good()],
    breaks: [told([`data: {"audio_base64":\ndata: ""}\n\n`])],
  },
  {
    rule: 'one-payload-an-event',
    about: 'another name',
    keeps: [told([`event: message\ndata: ${line}\n\n`])],
    breaks: [told([`event: audio\ndata: ${line}\n\n`])],
  },
  { rule: 'one-payload-an-event', about: 'no blank', keeps: [good()], breaks: [told([`data:${line}\n\n`])] },
  {
    rule: 'one-payload-an-event',
    about: 'no JSON',
    keeps: [good()],
    breaks: [told(['data: {"audio_base64"\n\n'])],
  },
  {
    rule: 'one-payload-an-event',
    about: 'an event that is not ended',
    keeps: [good()],
    breaks: [told([event(first), `data: ${line}\n`])],
  },
  {
    rule: 'one-payload-an-event',
    about: 'no object',
    keeps: [good()],
    breaks: [told([event(audio), 'data: 7\n\n'])],
  },
  {
    rule: 'every-event-carries-audio',
    keeps: [good()],
    breaks: [told([event(audio, { audio_base64: 'AB-_' })])],
  },
  {
    rule: 'every-event-carries-audio',
    about: 'no padding',
    keeps: [good()],
    breaks: [told([event(audio, { audio_base64: 'AAA' })])],
  },
  {
    rule: 'every-event-carries-audio',
    about: 'none',
    keeps: [good()],
    breaks: [told([event(audio), event(new Uint8Array())])],
  },
  { rule: 'chunks-join-to-the-audio', keeps: [good()], breaks: [told([event(audio.subarray(0, -1))])] },
  {
    rule: 'chunks-join-to-the-audio',
    about: 'another format',
    keeps: [good()],
    breaks: [stream({ format: 'wav', sample_rate: 8000 }, [event(audio)])],
  },
  {
    rule: 'offset-belongs-to-the-chunk',
    keeps: [two()],
    breaks: [told([event(first), event(second, { chunk_audio_offset_sec: 0.02 })])],
  },
  { rule: 'body-ends-cleanly', keeps: [good()], breaks: [told([event(first)], { ended: 'cut' })] },
  {
    rule: 'snapshot-covers-the-last-one',
    keeps: [good()],
    breaks: [told([event(first), event(second, { alignment: { audio_duration: 0.2, segments: [] } })])],
  },
  {
    rule: 'segments-in-order',
    keeps: [good()],
    breaks: [
      told([
        event(audio, segmentsOf({ text: 'a', start: 0.5, end: 0.6 }, { text: 'b', start: 0.1, end: 0.2 })),
      ]),
    ],
  },
  {
    rule: 'segments-in-order',
    about: 'beyond the audio',
    keeps: [good()],
    breaks: [told([event(audio, segmentsOf({ text: 'a', start: 0, end: 1.5 }))])],
  },
  { rule: 'chunk-seq-does-not-decrease', keeps: [two()], breaks: [told([later({}), event(audio)])] },
  { rule: 'offset-does-not-decrease', keeps: [two()], breaks: [two({ chunk_audio_offset_sec: -1 })] },
  { rule: 'no-end-marker', keeps: [good()], breaks: [told([event(audio), 'data: [DONE]\n\n'])] },
  { rule: 'stream-has-events', keeps: [good()], breaks: [told([])] },
  { rule: 'offset-follows-the-chunks', keeps: [two()], breaks: [two({ chunk_audio_offset_sec: 0 })] },
  {
    rule: 'offset-follows-the-chunks',
    about: 'the first one',
    keeps: [two()],
    breaks: [told([event(audio, { chunk_audio_offset_sec: 3 })])],
  },
  { rule: 'alignment-covers-the-audio', keeps: [two()], breaks: [told([event(audio), event(audio)])] },
  {
    rule: 'stream-times-unit',
    keeps: [good()],
    breaks: [told([event(audio, { alignment: { audio_duration: 1000, segments: [] } })])],
  },
  {
    rule: 'stream-times-unit',
    about: 'of segments',
    keeps: [good()],
    breaks: [told([event(audio, segmentsOf({ text: 'The', start: 0, end: 900 }))])],
  },
  {
    rule: 'stream-times-unit',
    about: 'of offsets',
    keeps: [two()],
    breaks: [two({ chunk_audio_offset_sec: 1000 })],
  },
  { rule: 'chunk-seq-has-no-gaps', keeps: [two()], breaks: [two({ chunk_seq: 2 })] },
  {
    rule: 'content-belongs-to-the-chunk',
    keeps: [two()],
    breaks: [told([event(first), event(second, { content: 'Other.' })])],
  },
  {
    rule: 'content-belongs-to-the-chunk',
    about: 'none',
    keeps: [two()],
    breaks: [told([event(audio, { content: '' })])],
  },
  { rule: 'stream-tells-times', keeps: [good()], breaks: [told([event(audio, { alignment: null })])] },
  {
    rule: 'segments-have-text',
    keeps: [good()],
    breaks: [told([event(audio, segmentsOf({ text: ' ', start: 0, end: 1 }))])],
  },
  {
    rule: 'only-data-lines',
    keeps: [good()],
    breaks: [told([event(first), ': still here\n\n', event(second)])],
  },
  {
    rule: 'words-are-spoken',
    keeps: [words(['The', 'tide', 'comes', 'in'])],
    breaks: [words(['The', 'tide', 'comes'])],
  },
  {
    rule: 'words-are-spoken',
    about: 'half of the text',
    keeps: [words(['The', 'tide', 'comes', 'in'])],
    breaks: [words(['The', 'tide'], 'The tide')],
  },
  {
    rule: 'times-are-told',
    keeps: [good()],
    breaks: [
      told([event(audio, segmentsOf({ text: 'The', start: 0, end: 0 }, { text: 'tide', start: 0, end: 0 }))]),
    ],
  },
];
