// # Speech in React
// Speaks a text, lights the word that is heard, and stops on a second click or when the component is removed.
import { openPlayer } from '@speech-api/audio/player';
import { createSpeechClient, type SpeechStream } from '@speech-api/client';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const client = createSpeechClient({
  baseUrl: 'http://127.0.0.1:4010',
  apiKey: 'sandbox-key',
  // The key of the sandbox is public; keep a real one on a server.
  allowBrowserKey: true,
});

function SpokenText({ text }: { text: string }) {
  const [call, setCall] = useState<AbortController>();
  const [[start, end], setWord] = useState([0, 0]);
  useEffect(() => () => call?.abort(), [call]);

  async function speak() {
    const call = new AbortController();
    setCall(call);
    const player = openPlayer('mp3');
    call.signal.addEventListener('abort', () => player.stop());
    try {
      const stream = await client.speech.streamWithTimestamps({ text }, { signal: call.signal });
      const light = () => {
        if (call.signal.aborted) return setWord([0, 0]);
        setWord(findWord(text, stream, player.playedMilliseconds / 1000));
        requestAnimationFrame(light);
      };
      light();
      await player.play(audioOf(stream));
      await player.drained;
    } catch (error) {
      if (!call.signal.aborted) alert(error);
    }
    await player.close();
    setCall(undefined);
  }

  return (
    <p>
      <button type="button" onClick={() => (call ? call.abort() : speak())}>
        {call ? 'Stop' : 'Listen'}
      </button>{' '}
      {text.slice(0, start)}
      <mark>{text.slice(start, end)}</mark>
      {text.slice(end)}
    </p>
  );
}

/** Counts from the start, because words come without their positions. */
function findWord(text: string, { timeline }: SpeechStream, seconds: number): [number, number] {
  let [start, end] = [0, 0];
  for (const word of timeline.segments.slice(0, timeline.indexAt(seconds) + 1)) {
    const place = text.indexOf(word.text, end);
    if (place >= 0) [start, end] = [place, place + word.text.length];
  }
  return [start, end];
}

async function* audioOf(stream: SpeechStream) {
  for await (const event of stream) if (event.type === 'audio-chunk') yield event.audio;
}

createRoot(document.body).render(<SpokenText text="Every word lights up while you hear it." />);
