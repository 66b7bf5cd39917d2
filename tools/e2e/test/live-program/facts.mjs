// What a runtime can do in a live session, found out by trying. Bundled for each runtime and run there.
import { createSpeechClient } from '@speech-api/client';
import { connectLive } from '@speech-api/live';

export async function facts(baseUrl) {
  const client = createSpeechClient({ apiKey: 'sandbox-key', baseUrl });
  const request = { format: 'pcm', sample_rate: 8000 };
  const connection = await connectLive(client, request);
  const spoken = [
    await lengthOf(connection.speak('Hello there.')),
    await lengthOf(connection.speak(tokens())),
  ];
  connection.close();
  return { spoken, refusal: await refusal(baseUrl), pauses: await pauses(client, request) };
}

async function* tokens() {
  yield* ['Hello ', 'there', '.'];
}

async function lengthOf(speech) {
  let bytes = 0;
  for await (const audio of speech) bytes += audio.length;
  return bytes;
}

async function refusal(baseUrl) {
  try {
    await connectLive(createSpeechClient({ apiKey: 'not-a-key', baseUrl }));
    return 'none';
  } catch (error) {
    return error.name;
  }
}

/** Reads late, with less room than there is audio: without a pause that is an error. */
async function pauses(client, request) {
  const limits = { pauseAboveBytes: 50_000, maximumUnreadBytes: 500_000 };
  const connection = await connectLive(client, request, limits);
  const speech = connection.speak('The tide comes in at seven. '.repeat(100));
  for (let before = -1; before !== speech.metrics.bytes || before === 0; ) {
    before = speech.metrics.bytes;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  try {
    return (await lengthOf(speech)) > limits.maximumUnreadBytes;
  } catch (error) {
    if (!error.message.includes('cannot pause')) throw error;
    return false;
  } finally {
    connection.close();
  }
}
