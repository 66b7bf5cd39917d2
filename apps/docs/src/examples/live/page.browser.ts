import { connectLive, throughRelay } from '@speech-api/live';

const ticket = async () =>
  (await fetch('/speech-ticket', { method: 'POST' })).text();
const relay = throughRelay({ url: 'wss://app.example', ticket });
const connection = await connectLive(relay, { format: 'mp3' });
for await (const audio of connection.speak('Hello.'))
  console.log(audio.length);
