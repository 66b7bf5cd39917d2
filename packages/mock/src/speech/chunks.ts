import type { SynthesisRequest } from '@speech-api/types';
import { synthesisDefaults } from '@speech-api/types';

/** A sentence with what ends it and the blanks behind. */
const sentence = /[^.!?。！？…]*[.!?。！？…]+["'”’)\]]*\s*|[^.!?。！？…]+$/gu;
const blank = /\s/u;

/**
 * The text chunks of a request: of at most `chunk_length` characters, cut behind a sentence where there is one. With the
 * latency `low` or `balanced` each sentence of at least `min_chunk_length` is a chunk of its own.
 */
export function chunkText(text: string, request: Omit<SynthesisRequest, 'text'>): string[] {
  const most = request.chunk_length ?? synthesisDefaults.chunk_length;
  const eager = (request.latency ?? synthesisDefaults.latency) !== 'normal';
  const enough = eager ? (request.min_chunk_length ?? synthesisDefaults.min_chunk_length) : most;
  const chunks: string[] = [];
  let current = '';
  let length = 0;
  const close = (): void => {
    if (current.trim() !== '') chunks.push(current.trim());
    current = '';
    length = 0;
  };
  for (const piece of (text.match(sentence) ?? []).flatMap((each) => cut(each, most))) {
    const added = [...piece].length;
    if (length + added > most) close();
    current += piece;
    length += added;
    if (eager && length >= enough) close();
  }
  close();
  return chunks;
}

/** Pieces of at most so many characters, behind a blank where there is one. */
function cut(text: string, most: number): string[] {
  const characters = [...text];
  const pieces: string[] = [];
  for (let start = 0; start < characters.length; ) {
    let end = Math.min(start + most, characters.length);
    if (end < characters.length) {
      const space = characters.slice(start, end).findLastIndex((each) => blank.test(each));
      if (space > 0) end = start + space + 1;
    }
    pieces.push(characters.slice(start, end).join(''));
    start = end;
  }
  return pieces;
}
