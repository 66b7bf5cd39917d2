// Compiled by the type check, never run: what a caller may write, and what the compiler refuses.
import type {
  DialogueRequest,
  SingleSpeakerRequest,
  SynthesisRequest,
  ZeroShotDialogueRequest,
} from '@speech-api/types';
import type { SpeechClient } from '../client.ts';

declare const client: SpeechClient;
declare const wide: SynthesisRequest;
const sample = { audio: new Uint8Array(), text: 'A sample.' };

// One voice: a saved one, samples, or the default.
const saved: SingleSpeakerRequest = { text: 'Hello.', reference_id: 'voice' };
const cloned: SingleSpeakerRequest = { text: 'Hello.', references: [sample] };
void client.speech.create({ text: 'Hello.' });
void client.speech.create(saved);
void client.speech.create(cloned);
void client.speech.streamWithTimestamps({ text: 'Hello.', reference_id: 'voice', references: [sample] });

// A dialogue of saved voices.
const dialogue: DialogueRequest = { text: '<|speaker:0|>Hi.<|speaker:1|>Hello.', reference_id: ['a', 'b'] };
void client.speech.create(dialogue, { model: 's2-pro' });

// A dialogue of samples.
const zeroShot: ZeroShotDialogueRequest = { ...dialogue, references: [[sample], [sample, sample]] };
void client.speech.streamWithTimestamps(zeroShot);

// What is only known to be some request, any binary, any model, and null where null has a meaning.
void client.speech.create(wide, { model: 'a-model-of-tomorrow' });
for (const audio of [new ArrayBuffer(1), new Blob([]), new File([], 'a.wav'), new Uint8Array()]) {
  void client.speech.create({ text: 'Hello.', references: [{ audio, text: 'A sample.' }] });
}
void client.speech.create({ text: 'Hello.', prosody: null, sample_rate: null, opus_bitrate: -1000 });

// @ts-expect-error there is nothing to speak
void client.speech.create({ format: 'mp3' });
// @ts-expect-error a misspelt field
void client.speech.create({ text: 'Hello.', temprature: 0.5 });
// @ts-expect-error an unknown format
void client.speech.create({ text: 'Hello.', format: 'flac' });
// @ts-expect-error several speakers' samples for one voice
void client.speech.create({ text: 'Hello.', reference_id: 'voice', references: [[sample], [sample]] });
// @ts-expect-error one speaker's samples for several voices
void client.speech.create({ text: 'Hello.', reference_id: ['a', 'b'], references: [sample] });
// @ts-expect-error a sample without its transcript
void client.speech.create({ text: 'Hello.', references: [{ audio: new Uint8Array() }] });
