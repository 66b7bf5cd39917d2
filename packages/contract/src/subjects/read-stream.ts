import { isUtf8 } from 'node:buffer';
import { type DecodedJson, decodeJsonText } from './json.ts';

/** One event of a stream, exactly as in the body. Errors are kept, so that they can be reported. */
interface RawEvent {
  /** From 0, in the order of arrival. The end marker does not count. */
  readonly index: number;
  /** Position in bytes where it begins. */
  readonly byte: number;
  /** Every line, without its line end. */
  readonly lines: readonly string[];
  readonly dataLines: readonly string[];
  /** The name, `message` when none is sent. */
  readonly name: string;
  /** The data as JSON. */
  readonly payload: DecodedJson;
}

export interface RawStream {
  readonly events: readonly RawEvent[];
  /** `[DONE]` came. */
  readonly hasEndMarker: boolean;
  /** Lines that are not data: comments, ids, retry times. */
  readonly otherLines: readonly string[];
  /** Blocks without any data line. */
  readonly blocksWithoutData: number;
  /** The text after the last blank line. */
  readonly rest: string;
  /** Every byte belongs to a character. */
  readonly isUtf8: boolean;
}

const endMarker = '[DONE]';

/** Cuts the body of a stream into events. A line ends with LF, CR or CRLF; an event ends with a blank line. */
export function readStream(body: Uint8Array): RawStream {
  const text = Buffer.from(body)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  const lines = text.split(/(\r\n|\n|\r)/);
  // The text after the last line end is not a complete line yet.
  const rest = lines.pop() ?? '';
  const events: RawEvent[] = [];
  const otherLines: string[] = [];
  let hasEndMarker = false;
  let blocksWithoutData = 0;
  let block: string[] = [];
  let blockStart = 0;
  let position = 0;
  // Lines and their ends take turns.
  for (let index = 0; index < lines.length; index += 2) {
    const line = lines[index] ?? '';
    const next = position + Buffer.byteLength(line + (lines[index + 1] ?? ''));
    if (line !== '') {
      block.push(line);
    } else if (block.length > 0) {
      const read = readBlock(block, events.length, blockStart);
      otherLines.push(...block.filter((each) => !/^(data|event)(:|$)/.test(each)));
      if (read === undefined) blocksWithoutData += block.some((each) => !each.startsWith(':')) ? 1 : 0;
      else if (read.dataLines.join('\n').trim() === endMarker) hasEndMarker = true;
      else events.push(read);
      block = [];
    }
    position = next;
    if (block.length === 0) blockStart = next;
  }
  return {
    events,
    hasEndMarker,
    otherLines,
    blocksWithoutData,
    rest: [...block, rest].join('\n'),
    isUtf8: isUtf8(body),
  };
}

function readBlock(lines: readonly string[], index: number, byte: number): RawEvent | undefined {
  const dataLines = lines
    .filter((line) => /^data(:|$)/.test(line))
    .map((line) => line.slice(5).replace(/^ /, ''));
  if (dataLines.length === 0) return undefined;
  const name = lines
    .findLast((line) => line.startsWith('event:'))
    ?.slice(6)
    .replace(/^ /, '');
  return {
    index,
    byte,
    lines,
    dataLines,
    name: name === undefined || name === '' ? 'message' : name,
    payload: decodeJsonText(dataLines.join('\n')),
  };
}
