// The mistakes of a first day, each with words of the compiler that name it. Compiled by mistakes.test.ts, never run.
import { createSpeechClient, type SpeechRequest } from '../../src/index.ts';

const client = createSpeechClient();
const audio = new Uint8Array();

// A misspelt field. Says: did you mean temperature?
void client.speech.create({ text: 'Hello.', temprature: 0.5 });

// Letters in the wrong order. Says: did you mean format?
void client.speech.create({ text: 'Hello.', fromat: 'wav' });

// The voice by the name of another service. Says: use reference_id
void client.speech.create({ text: 'Hello.', voice: 'anna' });

// The speed in the wrong place. Says: use prosody.speed
void client.speech.create({ text: 'Hello.', speed: 1.5 });

// The model in the request. Says: use the option model, in the second argument
void client.speech.create({ text: 'Hello.', model: 's1' });

// A field in another spelling. Says: did you mean sample_rate?
void client.speech.create({ text: 'Hello.', sampleRate: 8000 });

// No text. Says: Property 'text' is missing in type '{ format: "mp3"; }'
void client.speech.create({ format: 'mp3' });

// A path in place of bytes. Says: a file: await openAudioFile(path) of @speech-api/client/node
void client.speech.create({ text: 'Hello.', references: [{ audio: 'sample.wav', text: 'A sample.' }] });

// A path in place of a recording. Says: a file: await openAudioFile(path) of @speech-api/client/node
void client.transcriptions.create({ audio: 'interview.mp3' });

// A rate that wav does not have. Says: a rate of wav: 8000, 16000, 24000, 32000, 44100
void client.speech.create({ text: 'Hello.', format: 'wav', sample_rate: 48000 });

// A dialogue on s1. Says: a dialogue needs the model s2-pro
void client.speech.create({ text: '<|speaker:0|>Hi.', reference_id: ['a', 'b'] }, { model: 's1' });

// An unknown format. Says: Type '"flac"' is not assignable to type '"
void client.speech.create({ text: 'Hello.', format: 'flac' });

// A wrong option of a call. Says: Did you mean to write 'timeouts'?
void client.speech.create({ text: 'Hello.' }, { timeout: 5000 });

// A misspelt option of a call. Says: Did you mean to write 'signal'?
void client.speech.create({ text: 'Hello.' }, { singal: new AbortController().signal });

// Another one, of another call. Says: Did you mean to write 'signal'?
void client.models.get('voice', { signl: new AbortController().signal });

// Paths in place of the recordings of a voice. Says: a file: await openAudioFile(path) of @speech-api/client/node
void client.models.create({ type: 'tts', title: 'Mine', train_mode: 'fast', voices: ['sample.wav'] });

// A path in place of a picture. Says: a file: await openAudioFile(path) of @speech-api/client/node
void client.models.create({
  type: 'tts',
  title: 'Mine',
  train_mode: 'fast',
  voices: [audio],
  cover_image: 'a.png',
});

// A wrong option of the client. Says: Did you mean to write 'baseUrl'?
createSpeechClient({ baseURL: 'http://127.0.0.1:4010' });

// One speaker's samples for several. Says: one list of samples for each voice
void client.speech.create({
  text: 'Hello.',
  reference_id: ['a', 'b'],
  references: [{ audio, text: 'A sample.' }],
});

// A list used as an array. Says: Property 'map' does not exist on type 'ModelList'
client.models.list().map(String);

// A page used as an array. Says: Property 'length' does not exist on type 'ModelPage'
void client.models.list().then((page) => page.length);

// Valid requests: pictures, readonly samples and ids, and rates of the format.
void client.models.update('mine', { cover_image: 'covers/new.png' });
void client.models.create({
  type: 'tts',
  title: 'Mine',
  train_mode: 'fast',
  voices: [audio],
  cover_image: new Blob(),
});
const references = [{ audio, text: 'A sample.' }] as const;
void client.speech.create({ text: 'Hello.', references });
void client.speech.create({
  text: 'Hello.',
  reference_id: ['a', 'b'],
  references: [references, references],
} as const);
const request = { text: 'Hello.', format: 'wav', sample_rate: 8000 } as const satisfies SpeechRequest;
void client.speech.create(request);
