import type { LiveRequest } from '@speech-api/live';
import { defaultSampleRates, synthesisDefaults } from '@speech-api/types';
import { literal, writeValue } from '../evidence/write-value.ts';

/** The program that does what the page does. */
export function writeLive(relayUrl: string, request: LiveRequest): string {
  const { format = synthesisDefaults.format, sample_rate: rate } = request;
  const asked = rate === undefined ? '' : `, { sampleRate: ${rate} }`;
  const note = rate === undefined ? ` // ${defaultSampleRates[format]} Hz` : '';
  return `import { openPlayer } from '@speech-api/audio/player';
import { connectLive, throughRelay } from '@speech-api/live';

// The relay has the key. In production it also asks for a ticket.
const relay = throughRelay({ url: ${literal(relayUrl)} });
const connection = await connectLive(relay, ${writeValue(request)});
const player = openPlayer(${literal(format)}${asked});${note}

// Anything that yields text: here a form, in an agent the model.
async function* typed(form: HTMLFormElement) {
  for (;;) {
    const event = await new Promise<SubmitEvent>((resolve) => {
      form.addEventListener('submit', resolve, { once: true });
    });
    event.preventDefault();
    const text = String(new FormData(form).get('text'));
    if (text === '') return;
    yield \`\${text}\\n\`;
  }
}

const form = document.querySelector('form');
if (form === null) throw new Error('the page needs a form');
const speech = connection.speak(typed(form), {
  played: () => player.playedMilliseconds,
});

// Someone interrupts: silence at once, and what was heard by then.
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  const { heard } = speech.interrupt({ playedMs: player.stop() });
  console.log(heard);
});

await player.play(speech);
await player.drained;
console.log(speech.metrics.firstAudioMilliseconds, speech.metrics.characters);
connection.close();
await player.close();`;
}
