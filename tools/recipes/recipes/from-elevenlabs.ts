// # Coming from the elevenlabs package
// The calls that you know, each above its counterpart here.
import { createSpeechClient } from '@speech-api/client';
import { openAudioFile, saveTo } from '@speech-api/client/node';

// const elevenlabs = new ElevenLabsClient({ apiKey });
const client = createSpeechClient();

// const { voiceId } = await elevenlabs.voices.ivc.create({ name: 'Ann', files: [createReadStream('sample.wav')] });
const { _id: voice } = await client.models.create({
  type: 'tts',
  title: 'Ann',
  visibility: 'private',
  train_mode: 'fast',
  voices: [await openAudioFile('sample.wav')],
});

// const stream = await elevenlabs.textToSpeech.stream(voiceId, { text, modelId, outputFormat: 'mp3_44100_128' });
// The format, its rate and its bitrate are three fields.
const audio = await client.speech.create({
  text: 'Fresh bread and two cups of tea.',
  reference_id: voice,
  format: 'mp3',
  sample_rate: 44100,
  mp3_bitrate: 128,
});
await saveTo('tea.mp3', audio);

// for await (const { alignment } of await elevenlabs.textToSpeech.streamWithTimestamps(voiceId, { text }))
// There, times belong to characters. Here they belong to words, and the timeline puts the parts together.
const stream = await client.speech.streamWithTimestamps({
  text: 'Two cups.',
  reference_id: voice,
  format: 'mp3',
});
const { timeline } = await stream.collect();
for (const { text, start, end } of timeline.segments) console.log(text, start, end);

// await elevenlabs.voices.delete(voiceId);
await client.models.delete(voice);
