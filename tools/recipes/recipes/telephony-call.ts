// # A telephone call that can be interrupted
// Answers a media stream of a telephony service: a frame every 20 ms, marks as what was heard, and clear at barge-in.
import { setTimeout } from 'node:timers/promises';
import { createSpeechClient } from '@speech-api/client';
import { connectLive, type LiveSpeech } from '@speech-api/live';
import { WebSocketServer } from 'ws';
import { muLawFrames } from './telephony-mulaw.ts';

/** Put your language model here: anything that gives its answer piece by piece. */
async function* answer(): AsyncGenerator<string> {
  yield* [
    'Your table is booked for seven, ',
    'by the window. ',
    'The kitchen closes at ten, ',
    'and parking is free.',
  ];
}

/** The simplest detector: a sample above a quarter of full scale, which in mu-law has these bits at 0 or 1. */
const isLoud = (frame: Buffer): boolean => frame.some((code) => ((code >> 4) & 7) < 2);

const client = createSpeechClient();
const server = new WebSocketServer({ port: Number(process.env.PORT ?? 3001), host: '127.0.0.1' });
server.on('listening', () => console.log(`ws://127.0.0.1:${(server.address() as { port: number }).port}`));
server.on('connection', async (phone) => {
  let streamSid = '';
  let speech: LiveSpeech | undefined;
  let turn = 0;
  let playedMs = 0;
  const send = (message: object): void => phone.send(JSON.stringify({ ...message, streamSid }));
  const connecting = connectLive(client, { format: 'pcm', sample_rate: 8000 });

  async function say(text: string | AsyncIterable<string>): Promise<void> {
    const spoken = (await connecting).speak(text, { played: () => playedMs });
    [speech, playedMs] = [spoken, 0];
    turn += 1;
    let sentMs = 0;
    let due = performance.now();
    for await (const frame of muLawFrames(spoken)) {
      await setTimeout(Math.max(0, due - performance.now()));
      due = Math.max(due, performance.now() - 100) + 20;
      if (speech !== spoken) return;
      sentMs += 20;
      send({ event: 'media', media: { payload: Buffer.from(frame).toString('base64') } });
      send({ event: 'mark', mark: { name: `${turn}/${sentMs}` } });
    }
  }

  phone.on('message', (data) => {
    const message = JSON.parse(String(data));
    if (message.event === 'start') {
      streamSid = message.start.streamSid;
      void say(answer()).catch(console.error);
    } else if (message.event === 'mark') {
      // After a clear, the marks of what was not heard come back too; they are of an earlier turn.
      const [ofTurn, milliseconds] = message.mark.name.split('/').map(Number);
      if (ofTurn === turn && speech) playedMs = milliseconds;
    } else if (message.event === 'media' && speech && isLoud(Buffer.from(message.media.payload, 'base64'))) {
      const { heard } = speech.interrupt({ playedMs });
      speech = undefined;
      send({ event: 'clear' });
      console.error(`heard: ${heard}`);
      // Here the caller's words go to a transcription, and back to the model with what was heard.
    }
  });
  phone.on('close', async () => (await connecting).close());
});
