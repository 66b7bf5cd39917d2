// A live session, in plain JavaScript on the installed packages.
import { createSpeechClient } from '@speech-api/client';
import { connectLive } from '@speech-api/live';

/** Speaks twice on one socket, interrupts, and uses a wrong key; throws if anything fails. */
export async function live(baseUrl) {
  const client = (apiKey) => createSpeechClient({ apiKey, baseUrl, allowBrowserKey: true });
  const connection = await connectLive(client('sandbox-key'), { format: 'pcm', sample_rate: 8000 });
  const sentence = 'The tide comes in at seven. ';
  const lengths = [];
  for (const isReused of [false, true]) {
    const speech = connection.speak(sentence);
    let bytes = 0;
    for await (const audio of speech) bytes += audio.length;
    if (speech.metrics.connectionReused !== isReused) throw new Error('the socket is not kept');
    lengths.push(bytes);
  }
  if (lengths[0] < 10_000 || lengths[0] !== lengths[1]) throw new Error(`audio of ${lengths} bytes`);
  const long = connection.speak(sentence.repeat(50));
  for await (const _ of long) {
    const { heard } = long.interrupt({ playedMs: 500 });
    if (!sentence.startsWith(heard)) throw new Error(`heard “${heard}”`);
    break;
  }
  connection.close();
  const error = await connectLive(client('not-a-key')).catch((reason) => reason);
  // Some runtimes hide the reason of a refused upgrade.
  if (!['AuthenticationError', 'ConnectionError'].includes(error.name)) throw error;
  return 'live';
}
