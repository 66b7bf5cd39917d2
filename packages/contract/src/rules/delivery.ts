import { audioMediaTypes, headerNames, mediaTypes, operationTable } from '@speech-api/types';
import { keyOf, showsKey } from '../key.ts';
import { type Rules, unless, type Verdict } from '../problem.ts';
import { type JsonObject, openApi, resolve } from '../specification/document.ts';
import { fieldViolations } from '../specification/field-violations.ts';
import { type Answer, isTextType, traceIdOf } from '../subjects/answer.ts';
import { readAskedAudio } from '../subjects/judged-audio.ts';

export const deliveryRules: Rules<Answer> = {
  'body-complete': ({ exchange, headers, body, operation, isSuccess }) => {
    const { ended, failure } = exchange.response;
    // Another rule reports a stream that breaks off. What we stopped reading ourselves is not judged.
    if (exchange.response.isBodyMissing === true) return undefined;
    if (exchange.response.status === 0)
      return [{ message: `No answer came${failure === undefined ? '' : `: ${failure}`}.` }];
    if (ended === 'too-large' || (isSuccess && operation?.id === 'streamSpeechWithTimestamps'))
      return undefined;
    if (ended !== 'complete') {
      const how = ended === 'cut' ? 'breaks off' : 'does not end';
      return [{ message: `The body ${how} after ${body.length} bytes.`, where: `byte ${body.length}` }];
    }
    const length = headers['content-length'];
    // Both headers speak about the bytes on the wire; the body is what they were decoded to.
    if (length === undefined || headers['content-encoding'] !== undefined) return [];
    if (exchange.request.method === 'HEAD') return [];
    return unless(Number(length) === body.length, {
      message: `The body has ${body.length} bytes, its content-length says ${length}.`,
      where: 'header content-length',
      expected: String(body.length),
      actual: length,
    });
  },

  'media-type-documented': ({ operation, documented, mediaType, body, isSuccess, headers }) => {
    if (operation === undefined || documented === undefined || !isSuccess || body.length === 0)
      return undefined;
    const types = [...documented.content.keys()];
    // Any body is tolerated if none is documented. Another rule judges audio that is labelled as plain bytes.
    if (types.length === 0) return undefined;
    const isAudio = types.some((type) => type.startsWith('audio/'));
    const expected = types.join(' or ');
    return unless(
      mediaType !== undefined &&
        (types.includes(mediaType) || (isAudio && mediaType === 'application/octet-stream')),
      {
        message: `The body is called ${JSON.stringify(headers['content-type'] ?? '')}, not ${expected}.`,
        where: 'header content-type',
        expected,
        actual: headers['content-type'] ?? 'none',
      },
    );
  },

  'audio-is-not-text': ({ operation, isSuccess, mediaType }) => {
    if (operation?.id !== 'createSpeech' || !isSuccess) return undefined;
    return unless(mediaType === undefined || !isTextType(mediaType), {
      message: `Generated audio is called ${mediaType}.`,
      where: 'header content-type',
      expected: 'a type of audio',
      actual: mediaType ?? '',
    });
  },

  'audio-media-type': ({ operation, isSuccess, mediaType, asked }) => {
    if (operation?.id !== 'createSpeech' || !isSuccess) return undefined;
    const audio = readAskedAudio(asked.body);
    if (audio === undefined) return undefined;
    const expected = audioMediaTypes[audio.format];
    return unless(mediaType === expected || mediaType === 'application/octet-stream', {
      message: `Audio that was asked for as ${audio.format} is called ${mediaType === '' ? 'nothing' : mediaType}, not ${expected}.`,
      where: 'header content-type',
      expected,
      actual: mediaType ?? 'no media type',
    });
  },

  'stream-media-type': ({ operation, isSuccess, mediaType }) => {
    if (operation?.id !== 'streamSpeechWithTimestamps' || !isSuccess) return undefined;
    return unless(mediaType === mediaTypes.eventStream, {
      message: `The stream is called ${mediaType === '' ? 'nothing' : mediaType}, not ${mediaTypes.eventStream}.`,
      where: 'header content-type',
      expected: mediaTypes.eventStream,
      actual: mediaType ?? 'no media type',
    });
  },

  'stream-is-chunked': (answer) => {
    if (answer.operation?.id !== 'streamSpeechWithTimestamps' || !answer.isSuccess) return undefined;
    return judgeChunked(answer);
  },

  'audio-is-delivered-while-made': (answer) => {
    if (answer.operation?.id !== 'createSpeech' || !answer.isSuccess) return undefined;
    return judgeChunked(answer);
  },

  'header-values': ({ documented, headers }) => {
    const present = [...(documented?.headers ?? [])].filter(([name]) => headers[name] !== undefined);
    // Other rules judge these two.
    const judged = present.filter(([name]) => name !== 'transfer-encoding' && name !== 'connection');
    if (judged.length === 0) return undefined;
    return judged.flatMap(([name, schema]) =>
      fieldViolations(openApi(), schema, readHeader(headers[name] ?? '', schema)).map(({ message }) => ({
        message: `The header ${name} has a wrong value: ${message.replace('The body', 'it')}`,
        where: `header ${name}`,
        actual: headers[name] ?? '',
      })),
    );
  },

  'refusal-headers': ({ status, headers }) => {
    const name = required.get(status);
    if (name === undefined) return undefined;
    return unless(headers[name] !== undefined, {
      message: `A ${status} has no header ${name}.`,
      where: `header ${name}`,
    });
  },

  'key-is-not-shown': ({ exchange, headers, body }) => {
    const key = keyOf(exchange);
    if (key === undefined || exchange.response.isBodyMissing === true) return undefined;
    const place = [...Object.entries(headers), ['', Buffer.from(body).toString('latin1')] as const].find(
      ([, text]) => showsKey(text, key),
    );
    if (place === undefined) return [];
    const [header] = place;
    const where = header === '' ? 'the body' : `the header ${header}`;
    return [
      {
        message: `The answer shows the key of the request in ${where}.`,
        where: header === '' ? 'body' : `header ${header}`,
      },
    ];
  },

  'trace-is-continued': ({ operation, headers, asked }) => {
    const told = headers[headerNames.traceId];
    if (told === undefined || operation === undefined || !operationTable[operation.id].acceptsTraceparent)
      return undefined;
    const expected = traceIdOf(asked.traceparent);
    if (expected !== undefined) {
      return unless(told === expected, {
        message: `The answer tells the trace id ${told}, the request was sent with ${expected}.`,
        where: `header ${headerNames.traceId}`,
        expected,
        actual: told,
      });
    }
    const isTaken = asked.traceparent?.split('-')[1] === told;
    return unless(!isTaken && !/^0+$/.test(told), {
      message: `The trace id ${told} is that of a traceparent that is not valid, or none.`,
      where: `header ${headerNames.traceId}`,
      actual: told,
    });
  },
};

/** Headers are text, or the text of a number where the schema expects a number. */
function readHeader(text: string, schema: JsonObject): unknown {
  const { type } = resolve(openApi(), schema);
  return type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text.toLowerCase();
}

/** The header without which a client does not know what to do instead. */
const required: ReadonlyMap<number, string> = new Map([
  [401, 'www-authenticate'],
  [405, 'allow'],
  [426, 'upgrade'],
]);

/** Judges whether a body was sent in chunks as it was made. `undefined` if HTTP has frames of its own. */
function judgeChunked({ exchange, headers }: Answer): Verdict {
  const length = headers['content-length'];
  if (length !== undefined) {
    const message = `The length of the body, ${length}, is known before: it was not delivered while it was made.`;
    return [{ message, where: 'header content-length', actual: length }];
  }
  const { httpVersion } = exchange.response;
  if (httpVersion !== undefined && httpVersion !== '1.1') return undefined;
  const coding = headers['transfer-encoding'];
  // A recording may lack the headers of the connection.
  if (coding === undefined && httpVersion === undefined) return undefined;
  if (coding?.toLowerCase() === 'chunked') return [];
  const actual = coding ?? 'none';
  return [
    {
      message: `The transfer-encoding is ${actual}, not chunked.`,
      where: 'header transfer-encoding',
      expected: 'chunked',
      actual,
    },
  ];
}
