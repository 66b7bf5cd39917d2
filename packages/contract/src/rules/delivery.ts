import {
  audioMediaTypes,
  headerNames,
  mediaTypes,
  type OperationId,
  operationTable,
} from '@speech-api/types';
import { keyOf, showsKey } from '../key.ts';
import { type Chapter, chapter, unless, unlessEqual, type Verdict } from '../problem.ts';
import { type JsonObject, openApi, resolve } from '../specification/document.ts';
import { fieldViolations } from '../specification/field-violations.ts';
import { type Answer, traceIdOf } from '../subjects/answer.ts';
import { readAskedAudio } from '../subjects/judged-audio.ts';
import { type Reading, readAnswered, readAnyAnswer } from '../subjects/reading.ts';

const contentType = 'header content-type';
const plainBytes = 'application/octet-stream';

const completeness = chapter(answeredOrNot, {
  'body-complete': (answer) => {
    const { exchange, headers, body, isSuccess } = answer;
    const { ended, failure, status, isBodyMissing } = exchange.response;
    // The interface says of a success alone what it holds, and nothing of the parts of HTTP that Node refuses.
    const isStated = isSuccess && failure === undefined;
    const severity = isStated || status === 0 ? undefined : 'warning';
    // Another rule reports a stream that breaks off. An answer that the judge itself stopped reading is not judged.
    if (isBodyMissing === true || ended === 'unknown') return undefined;
    if (status === 0) return [{ message: `No answer came${failure === undefined ? '' : `: ${failure}`}.` }];
    if (isSuccessOf(answer, 'streamSpeechWithTimestamps')) return undefined;
    if (ended !== 'complete') {
      const how = ended === 'cut' ? 'breaks off' : 'does not end';
      const why = failure === undefined ? '' : `: ${failure}`;
      const where = `byte ${body.length}`;
      return [{ message: `The body ${how} after ${body.length} bytes${why}.`, where, severity }];
    }
    const length = headers['content-length'];
    // Both headers speak about the bytes on the wire; the body is what they were decoded to.
    if (length === undefined || headers['content-encoding'] !== undefined) return [];
    const message = `The body has ${body.length} bytes, but its content-length is ${length}.`;
    const problem = {
      message,
      where: 'header content-length',
      expected: String(body.length),
      actual: length,
      severity,
    } as const;
    // More bytes than were announced cannot come over a wire: a recorder decoded them and dropped the content-encoding.
    return unless(Number(length) <= body.length, problem);
  },
});

const delivery = chapter(readAnswered, {
  'media-type-documented': ({ operation, documented, mediaType, body, isSuccess, headers }) => {
    if (operation === undefined || documented === undefined || !isSuccess || body.length === 0)
      return undefined;
    // Another rule judges what the stream is called.
    if (operation.id === 'streamSpeechWithTimestamps') return undefined;
    const types = [...documented.content.keys()];
    // Any body is tolerated if none is documented. Another rule judges audio that is labelled as plain bytes.
    if (types.length === 0) return undefined;
    const allowed = types.some((type) => type.startsWith('audio/')) ? [...types, plainBytes] : types;
    const expected = types.join(' or ');
    const told = headers['content-type'];
    const message = `The content-type is ${JSON.stringify(told ?? '')}, not ${expected}.`;
    const problem = { message, where: contentType, expected, actual: told ?? 'none' };
    return unless(mediaType !== undefined && allowed.includes(mediaType), problem);
  },

  'audio-media-type': (answer) => {
    const audio = readAskedAudio(answer.asked.body);
    if (!isSuccessOf(answer, 'createSpeech') || audio === undefined) return undefined;
    if (answer.mediaType === plainBytes) return [];
    return judgeMediaType(answer, audioMediaTypes[audio.format], `Audio requested as ${audio.format}`);
  },

  'stream-media-type': (answer) =>
    isSuccessOf(answer, 'streamSpeechWithTimestamps')
      ? judgeMediaType(answer, mediaTypes.eventStream, 'The stream')
      : undefined,

  'stream-is-chunked': (answer) =>
    isSuccessOf(answer, 'streamSpeechWithTimestamps') ? judgeChunked(answer) : undefined,

  'refusal-headers': ({ status, headers }) => {
    const name = required.get(status);
    if (name === undefined) return undefined;
    const message = `A ${status} has no header ${name}.`;
    return unless(headers[name] !== undefined, { message, where: `header ${name}` });
  },

  'trace-is-continued': ({ operation, headers, asked }) => {
    const traceId = headers[headerNames.traceId];
    if (traceId === undefined || operation === undefined || !operationTable[operation.id].acceptsTraceparent)
      return undefined;
    const where = `header ${headerNames.traceId}`;
    const expected = traceIdOf(asked.traceparent);
    if (expected !== undefined) {
      const message = `The answer has the trace id ${traceId}; the request was sent with ${expected}.`;
      return unlessEqual(traceId, expected, { message, where });
    }
    const isTaken = asked.traceparent?.split('-')[1] === traceId;
    const message = `The trace id ${traceId} comes from an invalid traceparent, or is all zeros.`;
    return unless(!isTaken && !/^0+$/.test(traceId), { message, where, actual: traceId });
  },
});

const refusalHeaders = chapter(readAnyAnswer, {
  'header-values': ({ documented, headers }) => {
    const present = [...(documented?.headers ?? [])].filter(([name]) => headers[name] !== undefined);
    // These two headers have rules of their own.
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

  'key-is-not-shown': ({ exchange, headers, body }) => {
    const key = keyOf(exchange);
    if (key === undefined || exchange.response.isBodyMissing === true) return undefined;
    const texts = Object.entries(headers).map(([name, value]) => [`header ${name}`, value] as const);
    const shows = [...texts, ['body', Buffer.from(body).toString('latin1')] as const].find(([, text]) =>
      showsKey(text, key),
    );
    if (shows === undefined) return [];
    const [where] = shows;
    return [{ message: `The answer shows the key of the request in the ${where}.`, where }];
  },
});

export const deliveryChapters: readonly Chapter<Reading>[] = [completeness, delivery, refusalHeaders];

/** No answer at all is a body that is not complete. */
function answeredOrNot({ shows, answer }: Reading): readonly Answer[] {
  return shows === 'answer' || shows === 'no-answer' ? [answer] : [];
}

function isSuccessOf({ operation, isSuccess }: Answer, id: OperationId): boolean {
  return isSuccess && operation?.id === id;
}

/** Judges the declared media type of a body, whatever the body contains. */
export function judgeMediaType({ mediaType }: Answer, expected: string, what: string): Verdict {
  const message = `${what} has ${mediaType === '' ? 'no content-type' : `the content-type ${mediaType}`}, not ${expected}.`;
  const actual = mediaType ?? 'no media type';
  return unless(mediaType === expected, { message, where: contentType, expected, actual });
}

/** Headers are text, or the text of a number where the schema expects a number. */
function readHeader(text: string, schema: JsonObject): unknown {
  const { type } = resolve(openApi(), schema);
  return type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text.toLowerCase();
}

/** The header that tells the client what to do. */
const required: ReadonlyMap<number, string> = new Map([
  [401, 'www-authenticate'],
  [405, 'allow'],
  [426, 'upgrade'],
]);

/** Judges whether a body was sent in chunks as it was made. `undefined` if HTTP has frames of its own. */
function judgeChunked({ exchange, headers }: Answer): Verdict {
  const length = headers['content-length'];
  if (length !== undefined) {
    const message = `The answer has the content-length ${length}, so it was not delivered while it was made.`;
    return [{ message, where: 'header content-length', actual: length }];
  }
  const { httpVersion } = exchange.response;
  if (httpVersion !== undefined && httpVersion !== '1.1') return undefined;
  const coding = headers['transfer-encoding'];
  // A recording may lack the headers of the connection.
  if (coding === undefined && httpVersion === undefined) return undefined;
  if (coding?.toLowerCase() === 'chunked') return [];
  const actual = coding ?? 'none';
  const message = `The transfer-encoding is ${actual}, not chunked.`;
  return [{ message, where: 'header transfer-encoding', expected: 'chunked', actual }];
}
