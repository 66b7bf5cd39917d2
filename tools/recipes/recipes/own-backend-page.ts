// # The page in front of your own backend
// A relative address and no key: the browser sends its cookie, and own-backend.ts adds the rest.
import { createSpeechClient } from '@speech-api/client';

const client = createSpeechClient({ baseUrl: '/speech', apiKey: null });

/** Speaks in an audio element. Call it from a click, because browsers start no sound by themselves. */
export async function speak(text: string, player: HTMLAudioElement): Promise<void> {
  const audio = await client.speech.create({ text, format: 'mp3' });
  const address = URL.createObjectURL(await audio.blob());
  player.src = address;
  player.onended = () => URL.revokeObjectURL(address);
  await player.play();
}
