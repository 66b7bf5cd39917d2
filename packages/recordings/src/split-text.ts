const speakerTag = /<\|speaker:\d+\|>/g;

/**
 * Cuts a text at paragraphs, where those are too long at sentences, and only then at spaces. A part of a dialogue begins
 * with its speaker.
 *
 * @param maximumCharacters - Unicode code points a part may have.
 */
export function splitText(text: string, maximumCharacters: number): string[] {
  return nameSpeakers(cutText(text, maximumCharacters));
}

/** The parts of a text, which begin with no speaker of their own. */
export function cutText(text: string, maximumCharacters: number): string[] {
  const parts: string[] = [];
  let open = '';
  for (const piece of piecesOf(text, maximumCharacters)) {
    if (open !== '' && lengthOf((open + piece).trim()) > maximumCharacters) {
      parts.push(open.trim());
      open = '';
    }
    open += piece;
  }
  parts.push(open.trim());
  return parts.filter((part) => part !== '');
}

/** Each part begins with the speaker who was speaking. */
export function nameSpeakers(parts: readonly string[]): string[] {
  let speaker = '';
  return parts.map((part) => {
    const said = /^<\|speaker:\d+\|>/.test(part) ? part : speaker + part;
    speaker = part.match(speakerTag)?.at(-1) ?? speaker;
    return said;
  });
}

/** Pieces that make the text again when they are joined; none is too long. */
function* piecesOf(text: string, maximum: number): Generator<string> {
  for (const paragraph of text.split(/(?<=\n[^\S\n]*\n)/)) {
    if (lengthOf(paragraph) <= maximum) {
      yield paragraph;
      continue;
    }
    const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(paragraph);
    for (const { segment } of sentences) {
      if (lengthOf(segment) <= maximum) yield segment;
      else yield* wordsOf(segment, maximum);
    }
  }
}

function* wordsOf(sentence: string, maximum: number): Generator<string> {
  for (const word of sentence.split(/(?<=\s)/)) {
    const characters = [...word];
    // No script has words this long; it may be a line of Chinese without a full stop.
    for (let start = 0; start < characters.length; start += maximum) {
      yield characters.slice(start, start + maximum).join('');
    }
  }
}

export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
