// A live session in every way that depends on the runtime, in plain JavaScript on the installed packages.
import { createSpeechClient } from '@speech-api/client';
import { connectLive, throughRelay } from '@speech-api/live';

const request = { format: 'pcm', sample_rate: 8000 };
const sentence = 'The tide comes in at seven. ';

/**
 * Tries them, and tells what it saw.
 *
 * @param target `baseUrl` of a service; where only relays lead to it, also `relays` by the name of their key and
 * `ticket`, an address that gives tickets
 */
export async function sessions({ baseUrl, relays, ticket }) {
  const opened = watchSockets();
  const direct = (apiKey) => createSpeechClient({ apiKey, baseUrl, allowBrowserKey: true });
  const source = (key) =>
    relays === undefined
      ? direct(key)
      : throughRelay({
          url: relays[key] ?? relays['sandbox-key'],
          ticket: key === 'not-a-key' ? 'forged' : async () => (await fetch(ticket)).text(),
        });
  const connection = await connectLive(source('sandbox-key'), request);
  const seen = {
    whole: await read(connection.speak(sentence)),
    again: await read(connection.speak(sentence)),
    tokens: await read(connection.speak(tokens())),
    byHand: await read(byHand(connection)),
    late: await read(await lateReader(connection)),
    interrupted: await interrupted(connection),
    afterwards: await read(connection.speak(sentence)),
  };
  connection.close();
  return {
    ...seen,
    // If neither kind of socket that runtimes have was used, it was ws.
    socket: [...opened].join() || 'ws',
    direct: await refusal(connectLive(direct('sandbox-key'), request)),
    aborted: await refusal(connectLive(source('sandbox-key'), request, { signal: AbortSignal.abort() })),
    refusedKey: await refusal(connectLive(source('not-a-key'), request)),
    noCredit: await refusal(connectLive(source('sandbox-empty'), request)),
    refusedRequest: await refusedRequest(source('sandbox-key')),
    pauses: await pauses(source('sandbox-key')),
  };
}

/** Which of the runtime's own ways to a socket are used. */
function watchSockets() {
  const opened = new Set();
  const { WebSocket: Socket, fetch: send } = globalThis;
  if (Socket) {
    globalThis.WebSocket = new Proxy(Socket, {
      construct(target, parameters) {
        opened.add('WebSocket');
        return Reflect.construct(target, parameters);
      },
    });
  }
  globalThis.fetch = (input, options) => {
    if (new Headers(options?.headers).has('upgrade')) opened.add('fetch');
    return send(input, options);
  };
  return opened;
}

/** Number of bytes, whether they are whole samples, and which socket they came on. */
async function read(speech) {
  let bytes = 0;
  let isWhole = true;
  for await (const audio of speech) {
    bytes += audio.length;
    isWhole &&= audio.length % 2 === 0;
  }
  return { bytes, isWhole, reused: speech.metrics.connectionReused };
}

async function* tokens() {
  yield* ['The ', 'tide ', 'comes ', 'in ', 'at ', 'seven. '];
}

function byHand(connection) {
  const speech = connection.speak();
  for (const character of sentence) speech.write(character);
  speech.flush();
  speech.end();
  return speech;
}

async function lateReader(connection) {
  const speech = connection.speak(sentence);
  await settled(speech);
  return speech;
}

async function settled(speech) {
  for (let before = -1; before !== speech.metrics.bytes || before === 0; ) {
    before = speech.metrics.bytes;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function interrupted(connection) {
  const speech = connection.speak(sentence.repeat(50));
  for await (const _ of speech) return speech.interrupt({ playedMs: 500 }).heard;
}

/** Error that a caller gets for a refusal; null if there was none. */
async function refusal(promise) {
  try {
    (await promise).close();
    return null;
  } catch ({ name, status, body }) {
    return { name, status, body };
  }
}

async function refusedRequest(source) {
  const connection = await connectLive(source, { format: 'opus', sample_rate: 8000 });
  try {
    return await refusal(read(connection.speak(sentence)));
  } finally {
    connection.close();
  }
}

/** Reads late, with less room than there is audio: without a pause that is an error. */
async function pauses(source) {
  const limits = { pauseAboveBytes: 50_000, maximumUnreadBytes: 500_000 };
  const connection = await connectLive(source, request, limits);
  const speech = connection.speak(sentence.repeat(60), { aheadSeconds: Number.POSITIVE_INFINITY });
  await settled(speech);
  try {
    return (await read(speech)).bytes > limits.maximumUnreadBytes;
  } catch (error) {
    if (!error.message.includes('cannot be paused')) throw error;
    return false;
  } finally {
    connection.close();
  }
}
