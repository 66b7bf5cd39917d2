import { createSpeechClient } from '@speech-api/client';

const voices = {
  Ann: 'sandbox-alba',
  Ben: 'sandbox-blake',
  Mei: 'sandbox-mei',
};
const lines = [
  { who: 'Ann', says: 'Where shall we meet?' },
  { who: 'Ben', says: 'At the station, at nine.' },
  { who: 'Mei', says: '好的。' },
] as const;

const speakers = Object.keys(voices);
const text = lines
  .map(({ who, says }) => `<|speaker:${speakers.indexOf(who)}|>${says}`)
  .join(' ');

const client = createSpeechClient();
const stream = await client.speech.streamWithTimestamps({
  text,
  reference_id: Object.values(voices),
  format: 'opus',
});
const { timeline } = await stream.collect();
console.log(timeline.segments.map((segment) => segment.text).join(' '));
