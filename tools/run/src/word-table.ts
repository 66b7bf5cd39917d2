/** A table of words and the seconds at which each begins and ends. */
export function wordTable(segments: readonly { text: string; start: number; end: number }[]): string {
  const width = Math.max(4, ...segments.map((segment) => displayWidth(segment.text)));
  const row = (text: string, start: string, end: string) =>
    `${text}${' '.repeat(width - displayWidth(text))}  ${start.padStart(7)}  ${end.padStart(7)}`;
  return [
    row('word', 'start', 'end'),
    row('-'.repeat(width), '-------', '-------'),
    ...segments.map(({ text, start, end }) => row(text, start.toFixed(2), end.toFixed(2))),
  ].join('\n');
}

/** Chinese characters take two columns of a terminal. */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text)
    width += /\p{Script=Han}|[\u3000-\u303f\uff00-\uffef]/u.test(character) ? 2 : 1;
  return width;
}
