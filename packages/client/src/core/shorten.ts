const maximumCharacters = 300;

/**
 * A foreign text made fit for an error message: markup and repeated white space taken out, cut to 300
 * characters. The text stays a stranger's: show it, never act on it.
 */
export function shorten(text: string): string {
  // Cut before matching too: a megabyte of `<` must not cost a megabyte of scanning for each.
  const plain = text
    .slice(0, 4000)
    .replace(/<(script|style)\b[^<]*/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > maximumCharacters ? `${plain.slice(0, maximumCharacters)}…` : plain;
}
