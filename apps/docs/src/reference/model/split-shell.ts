/**
 * The commands of a piece of shell, as words without their quotes: enough for what documentation has (quotes,
 * escaped line ends, pipes, comments, assignments before a command). Undefined when a quote is not closed.
 */
export function splitShell(code: string): readonly (readonly string[])[] | undefined {
  const commands: string[][] = [];
  let words: string[] = [];
  let word: string | undefined;
  let quote = '';
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  const endCommand = (): void => {
    endWord();
    while (words[0] !== undefined && /^\w+=/.test(words[0])) words.shift();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let index = 0; index < code.length; index += 1) {
    const character = code[index] ?? '';
    if (quote !== '') {
      if (character === '\\' && quote === '"') {
        index += 1;
        word += code[index] ?? '';
      } else if (character === quote) quote = '';
      else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\') {
      index += 1;
      if (code[index] !== '\n') word = (word ?? '') + (code[index] ?? '');
    } else if (character === '#' && word === undefined) {
      const end = code.indexOf('\n', index);
      index = end === -1 ? code.length : end - 1;
    } else if (character === '\n' || character === '|' || character === ';' || character === '&')
      endCommand();
    else if (character === ' ' || character === '\t') endWord();
    else word = (word ?? '') + character;
  }
  endCommand();
  return quote === '' ? commands : undefined;
}
