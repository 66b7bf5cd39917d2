/**
 * The engine leaves the point of a Chinese decimal out, so that 3.5 is heard as "three five": the word for it takes
 * the point's place, one character for one.
 */
export function sayDecimalPoints(characters: readonly string[], language: string): string[] {
  if (language !== 'cmn') return [...characters];
  return characters.map((character, index) => {
    const between = /^\d$/.test(characters[index - 1] ?? '') && /^\d$/.test(characters[index + 1] ?? '');
    return character === '.' && between ? '点' : character;
  });
}
