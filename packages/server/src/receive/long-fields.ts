import { limits, mediaTypes, type OperationId } from '@speech-api/types';
import busboy from 'busboy';
import type { BodyWatch } from '../decode/body.ts';
import { decodeLimits } from '../decode/failure.ts';
import { Refusal } from '../refuse/refusal.ts';
import { refuseBrokenRule } from '../validate/rules.ts';

/** The one field of a body that has a limit of its own. */
interface LimitedField {
  readonly name: string;
  /** In code points for text, in bytes for a file. */
  readonly limit: number;
  /** @throws Refusal */
  refuse(): void;
}

/**
 * Watches a body while it arrives, so that a field over its limit is refused before the sender ends: the text of a
 * synthesis and the file of a transcription. A body that breaks its format is left to the decoder.
 */
export function watchLongField(
  id: OperationId,
  mediaType: string,
  contentType: string,
): BodyWatch | undefined {
  const field = limitedFields[id];
  if (field === undefined) return undefined;
  if (mediaType === mediaTypes.json) return watchJson(field);
  return mediaType === mediaTypes.msgpack ? watchMessagePack(field) : watchMultipart(field, contentType);
}

const limitedFields: Partial<Record<OperationId, LimitedField>> = {
  createSpeech: textFor('createSpeech'),
  streamSpeechWithTimestamps: textFor('streamSpeechWithTimestamps'),
  createTranscription: {
    name: 'audio',
    limit: limits.transcriptionFileBytesRefusedAbove,
    refuse() {
      // A file of 20 MB, refused only above the larger reading of the unit.
      const limit = limits.transcriptionFileBytesRefusedAbove;
      const message = `\`audio\` is larger than 20 MB (${limit} bytes). Split the recording.`;
      throw new Refusal('file-too-large', { message });
    },
  },
};

function textFor(operationId: OperationId): LimitedField {
  const limit = limits.textCodePoints;
  const tooLong = { text: 'a'.repeat(limit + 1) };
  const refuse = () => refuseBrokenRule(tooLong, { model: undefined, operationId }, { lenient: false });
  return { name: 'text', limit, refuse };
}

/** Counts the characters of a field of the outermost object. */
function watchJson({ name: wanted, limit, refuse }: LimitedField): BodyWatch {
  let depth = 0;
  let inString = false;
  let isEscape = false;
  let hexDigits = 0;
  /** The string at hand, or the last one, is a name of the outermost object. */
  let isName = false;
  let name = '';
  let length = 0;
  const count = (characters: number): void => {
    length += characters;
    if (length > limit && depth === 1 && !isName && name === wanted) refuse();
  };
  const inside = (byte: number): void => {
    if (hexDigits > 0) {
      // Half of a surrogate pair begins with `d`. So do a few whole characters, which the rules count after the end.
      if (hexDigits === 4) count((byte | 0x20) === 0x64 ? 0.5 : 1);
      hexDigits -= 1;
    } else if (isEscape) {
      isEscape = false;
      if (byte === 0x75) hexDigits = 4;
      else count(1);
    } else if (byte === 0x22) inString = false;
    else if (byte === 0x5c) isEscape = true;
    else if ((byte & 0xc0) !== 0x80) count(1);
    if (isName && inString && name.length < 32) name += String.fromCharCode(byte);
  };
  const between = (byte: number): void => {
    if (byte === 0x22) {
      inString = true;
      length = 0;
      if (isName) name = '';
    } else if (byte === 0x7b || byte === 0x5b) {
      depth += 1;
      isName = depth === 1 && byte === 0x7b;
    } else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else if (byte === 0x2c) isName = depth === 1;
    else if (byte === 0x3a) isName = false;
  };
  return (chunk) => {
    for (const byte of chunk) {
      if (inString) inside(byte);
      else between(byte);
    }
  };
}

/** The bytes that follow a type and hold a number or a length, from the type 0xc4 on. Extensions have none: they are refused. */
const headBytes = [1, 2, 4, 0, 0, 0, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 0, 0, 0, 0, 0, 1, 2, 4, 2, 4, 2, 4];

/** Counts the characters, or the bytes, of a field of the outermost map. */
function watchMessagePack({ name: wanted, limit, refuse }: LimitedField): BodyWatch {
  /** Values still to come at each level; empty when there is nothing more to look for. */
  let levels = [1];
  let head: number[] = [];
  /** Bytes still to come of the string or the binary value at hand. */
  let payload = 0;
  let isText = false;
  let isName = false;
  let name = '';
  let length = 0;
  const begin = (bytes: number, text: boolean): void => {
    payload = bytes;
    isText = text;
    length = 0;
    if (isName) name = '';
    // No character has more than four bytes.
    if (isWanted() && bytes > (text ? limit * 4 : limit)) refuse();
  };
  const isWanted = (): boolean => levels.length === 2 && !isName && name === wanted;
  const readHead = (byte: number): void => {
    const [type = byte] = head;
    head.push(byte);
    if (head.length <= (headBytes[type - 0xc4] ?? 0)) return;
    while (levels.at(-1) === 0) levels.pop();
    const left = levels.pop() ?? 0;
    levels.push(left - 1);
    isName = levels.length === 2 && left % 2 === 0;
    const number = head.slice(1).reduce((value, each) => value * 256 + each, 0);
    head = [];
    if (type >= 0x80 && type <= 0x8f) levels.push((type & 0x0f) * 2);
    else if (type >= 0x90 && type <= 0x9f) levels.push(type & 0x0f);
    else if (type >= 0xa0 && type <= 0xbf) begin(type & 0x1f, true);
    else if (type >= 0xc4 && type <= 0xc6) begin(number, false);
    else if (type >= 0xd9 && type <= 0xdb) begin(number, true);
    else if (type === 0xdc || type === 0xdd) levels.push(number);
    else if (type === 0xde || type === 0xdf) levels.push(number * 2);
    if (left === 0 || levels.length > decodeLimits.depth + 2) levels = [];
  };
  return (chunk) => {
    for (let at = 0; at < chunk.length && levels.length > 0; ) {
      const part = chunk.subarray(at, at + Math.max(payload, 1));
      at += part.length;
      if (payload === 0) {
        readHead(part[0] ?? 0);
        continue;
      }
      payload -= part.length;
      if (isName && name.length < 32) name += Buffer.from(part).toString('latin1');
      if (!isText || !isWanted()) continue;
      for (const byte of part) if ((byte & 0xc0) !== 0x80) length += 1;
      if (length > limit) refuse();
    }
  };
}

/** Counts the bytes of each file of a form that has the field's name. */
function watchMultipart(field: LimitedField, contentType: string): BodyWatch | undefined {
  let isTooLong = false;
  const ignore = (): void => {};
  let parser: busboy.Busboy;
  try {
    // The decoder refuses a form of more parts.
    const sizes = { fileSize: field.limit + 1, parts: decodeLimits.formParts + 1 };
    parser = busboy({ headers: { 'content-type': contentType }, limits: sizes });
  } catch {
    return undefined;
  }
  parser.on('error', ignore);
  parser.on('file', (name, file) => {
    file.on('error', ignore).resume();
    file.on('limit', () => {
      isTooLong ||= name === field.name;
    });
  });
  return async (chunk) => {
    await new Promise((resolve) => parser.write(chunk, resolve));
    if (isTooLong) field.refuse();
  };
}
