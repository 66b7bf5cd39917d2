// # A voice agent: the page
// Speaks each answer while it is written, falls silent when it is interrupted, and knows about how much was heard.
import { openPlayer } from '@speech-api/audio/player';
import { connectLive, type LiveSpeech, throughRelay } from '@speech-api/live';
import { listenForVoice } from './voice-agent-microphone.ts';

const form = document.forms[0] ?? document.createElement('form');
const output = document.querySelector('output') ?? document.createElement('output');

const relay = throughRelay({
  url: location.origin.replace(/^http/, 'ws'),
  ticket: async () => (await fetch('/speech-ticket', { method: 'POST' })).text(),
});
const connection = await connectLive(relay, { format: 'pcm', sample_rate: 24000 });
const player = openPlayer('pcm', { sampleRate: 24000 });

let turn: { readonly ended: AbortController; speech?: LiveSpeech } | undefined;

async function ask(question: string): Promise<void> {
  interrupt();
  const mine: typeof turn = { ended: new AbortController() };
  turn = mine;
  const answer = await fetch('/answer', { method: 'POST', body: question, signal: mine.ended.signal });
  mine.speech = connection.speak(textOf(answer), { played: () => player.playedMilliseconds });
  output.value = 'Speaking';
  await player.play(mine.speech); // all of it has arrived
  await player.drained; // all of it was heard
  if (turn !== mine) return;
  turn = undefined;
  output.value = 'Heard to the end';
}

function interrupt(): void {
  if (turn === undefined) return;
  const { ended, speech } = turn;
  turn = undefined;
  const playedMs = player.stop();
  const heard = speech?.interrupt({ playedMs }).heard ?? '';
  ended.abort(); // the model need not go on
  // Give this to your model as its last turn, so that it knows what it has said.
  output.value = `Interrupted after: ${heard}`;
}

async function* textOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield decoder.decode(value, { stream: true });
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  ask(String(new FormData(form).get('question'))).catch((error: Error) => {
    // An interrupted answer is not a failure.
    if (error.name !== 'AbortError') output.value = error.message;
  });
});
document.querySelector('#listen')?.addEventListener('click', () => listenForVoice(interrupt));
document.body.dataset.ready = '';
