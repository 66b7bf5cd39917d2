// A user's program, in plain JavaScript on the installed packages, without anything specific to a runtime.
import { ApiError, compareCredit, createSpeechClient, createTrace, NotFoundError } from '@speech-api/client';
import { toVtt } from '@speech-api/client/captions';
import { decode, encodeRequest } from '@speech-api/msgpack';
import { readSpeechEvents, Timeline } from '@speech-api/streaming';

/** Calls the service at `baseUrl` in every way that depends on the runtime; throws when one fails. */
export async function smoke(baseUrl) {
  const trace = createTrace();
  const client = createSpeechClient({ apiKey: 'sandbox-key', baseUrl, trace, allowBrowserKey: true });
  const done = [];
  const check = (name, holds) => {
    if (!holds) throw new Error(`${name} failed`);
    done.push(name);
  };

  const audio = await client.speech.create({
    text: 'One short sentence.',
    format: 'wav',
    sample_rate: 16000,
  });
  let pieces = 0;
  let clip = new Uint8Array();
  for await (const piece of audio) {
    pieces += 1;
    clip = new Uint8Array([...clip.subarray(0, 4), ...piece]);
  }
  check('speech', pieces > 0 && clip.length > 1000 && audio.traceId === trace.traceId);

  const sample = await (await client.speech.create({ text: 'A sample of a voice.', format: 'wav' })).bytes();
  const references = [
    { audio: sample, text: 'A sample of a voice.' },
    { audio: new Blob([sample]), text: 'A sample of a voice.' },
  ];
  const cloned = await client.speech.create({ text: 'In that voice.', references });
  check('references as MessagePack', (await cloned.blob()).size > 1000);

  const stream = await client.speech.streamWithTimestamps({
    text: 'Every word has its time.',
    format: 'opus',
  });
  const { timeline } = await stream.collect();
  check('timestamps', timeline.segments.length === 5 && timeline.toVtt().startsWith('WEBVTT'));

  const { items } = await client.models.list({ page_size: 2 });
  check('models', items.length > 0);
  const missing = await client.models.get('nobody').catch((error) => error);
  check(
    'errors',
    NotFoundError.isInstance(missing) && ApiError.isInstance(missing) && missing.status === 404,
  );
  const { credit } = await client.wallet.getApiCredit();
  check('wallet', compareCredit(credit, '-1') === 1);

  const aborted = AbortSignal.abort();
  const refused = await client.speech
    .create({ text: 'Never sent.' }, { signal: aborted })
    .catch((error) => error);
  check('abort', refused.name === 'AbortError');
  for await (const _piece of await client.speech.create({ text: 'Left early. '.repeat(20) })) break;
  check('leaving early', true);

  const { parts, byteLength } = encodeRequest({ text: 'Hé', audio: new Uint8Array([1, 2, 3]) });
  const message = new Uint8Array(await new Blob(parts).arrayBuffer());
  const decoded = decode(message);
  check('msgpack', message.length === byteLength && decoded.text === 'Hé' && decoded.audio[2] === 3);

  const event = { audio_base64: 'AAAA', content: 'Hi', chunk_seq: 0, chunk_audio_offset_sec: 1 };
  const alignment = { audio_duration: 1, segments: [{ text: 'Hi', start: 0, end: 0.5 }] };
  const body = new Blob([`data: ${JSON.stringify({ ...event, alignment })}\n\n`]).stream();
  const rebuilt = new Timeline();
  for await (const event of readSpeechEvents(body)) rebuilt.apply(event);
  check('streaming', rebuilt.wordAt(1.2)?.text === 'Hi');
  check('captions', toVtt({ segments: rebuilt.segments }).includes('00:00:01.000 --> '));
  return `works: ${done.join(', ')}`;
}
