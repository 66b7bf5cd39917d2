import { asArray, asObject, asText, type Json } from '@speech-api/spec/read';

/** A word or the text between two words; a word has its times in seconds. */
interface Part {
  readonly text: string;
  readonly start?: number;
  readonly end?: number;
}

const lineLength = 50;
const lineHeight = 38;
const width = 640;
/** How long the whole text stays before it is spoken again. */
const pauseSeconds = 2;

/**
 * The picture of the README: the text of a recorded stream, whose words light up at the times that the stream gave them.
 * It stands still for whoever asks for less motion.
 *
 * @param transcript An entry of `transcripts.json`: its first line has the request, its last one what the stream says.
 */
export function drawSpokenWords(transcript: Json | undefined): string {
  const lines = asArray(transcript).map(asObject);
  const text = asText(asObject(asObject(lines[0]?.request).body).text);
  const parts = partsOf(text, asArray(asObject(lines.at(-1)?.reads_as).segments));
  const seconds = Math.max(...parts.map(({ end = 0 }) => end)) + pauseSeconds;
  const percent = (time: number) => `${Number(((100 * time) / seconds).toFixed(2))}%`;
  const words = parts.filter(({ start }) => start !== undefined);
  const keyframes = words.map(
    ({ start = 0, end = 0 }, index) =>
      `@keyframes w${index}{0%{fill:var(--later)}${percent(start)}{fill:var(--now)}${percent(end)}{fill:var(--said)}}`,
  );
  const rows = linesOf(parts).map((line, row) => {
    const spans = line.map((part) => {
      const index = words.indexOf(part);
      return index < 0 ? part.text : `<tspan style="animation-name:w${index}">${part.text}</tspan>`;
    });
    return `<text x="24" y="${(row + 1) * lineHeight + 6}">${spans.join('')}</text>`;
  });
  const height = (rows.length + 1) * lineHeight - 6;
  return `<!-- Generated from spec/transcripts, do not edit: npm run generate -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${text}</title>
<style>
svg{--later:#8a94a6;--now:#c2410c;--said:#1f2937;--page:#f8fafc}
@media (prefers-color-scheme:dark){svg{--later:#7b8794;--now:#fdba74;--said:#e5e7eb;--page:#111827}}
rect{fill:var(--page)}
text{font:500 22px ui-sans-serif,system-ui,sans-serif;fill:var(--said)}
@media (prefers-reduced-motion:no-preference){tspan{animation:${Number(seconds.toFixed(2))}s step-end infinite}}
${keyframes.join('\n')}
</style>
<rect width="100%" height="100%" rx="12"/>
${rows.join('\n')}
</svg>
`;
}

/** The words with their times, and what is between them. @throws Error for a segment that the text lacks */
function partsOf(text: string, segments: readonly Json[]): Part[] {
  let position = 0;
  const parts = segments.map(asObject).flatMap((segment): Part[] => {
    // The service leaves out the apostrophe of a word, and the marks behind it.
    const word = new RegExp(`\\b${[...asText(segment.text)].join("'?")}\\b[^\\w\\s]*`, 'g');
    word.lastIndex = position;
    const match = word.exec(text);
    if (!match)
      throw new Error(
        `The transcript's text lacks "${asText(segment.text)}" after "${text.slice(0, position)}".`,
      );
    const between = text.slice(position, match.index);
    position = word.lastIndex;
    return [{ text: between }, { text: match[0], start: Number(segment.start), end: Number(segment.end) }];
  });
  return [...parts, { text: text.slice(position) }].filter((part) => part.text !== '');
}

/** Breaks before a word that would leave the line. */
function linesOf(parts: readonly Part[]): Part[][] {
  const lines: Part[][] = [[]];
  for (const part of parts) {
    const length =
      lines
        .at(-1)
        ?.map(({ text }) => text)
        .join('').length ?? 0;
    if (part.start !== undefined && length + part.text.length > lineLength) lines.push([]);
    lines.at(-1)?.push(part);
  }
  return lines;
}
