/** One line of a script: `Name: what is said`. */
export interface ScriptLine {
  /** Place of the speaker: 0 is the first. */
  readonly speaker: number;
  readonly text: string;
  readonly start: number;
}

/** The speakers and their lines, in order. */
export interface Script {
  readonly names: readonly string[];
  readonly lines: readonly ScriptLine[];
}

export const sampleScript = `Ann: Did the fog lift before the ferry came in?
Ben: Not before. While it came in, and all at once.
Ann: So you saw the whole harbour?
Ben: Every mast of it.`;

/** Reads a script. A line without a name is spoken by the one who spoke before. */
export function readScript(script: string): Script {
  const names: string[] = [];
  const lines: ScriptLine[] = [];
  let speaker = 0;
  for (const { 0: line, index } of script.matchAll(/.+/g)) {
    const name = /^\s*([^\s:：][^:：]{0,30})[:：]/u.exec(line);
    if (name?.[1] !== undefined) {
      const known = names.indexOf(name[1].trim());
      speaker = known >= 0 ? known : names.push(name[1].trim()) - 1;
    }
    const rest = line.slice(name?.[0].length ?? 0);
    const text = rest.trim();
    const start = index + line.length - rest.trimStart().length;
    if (text !== '') lines.push({ speaker, text, start });
  }
  return { names: names.length > 0 ? names : ['Speaker'], lines };
}

/** The text of a request for a script: a tag before each line. */
export function toDialogueText({ lines }: Script): string {
  return lines.map(({ speaker, text }) => `<|speaker:${speaker}|>${text}`).join('\n');
}

/** The script with blanks for the names, which nobody says: every word is where it was. */
export function withoutNames({ lines }: Script): string {
  return lines.reduce((text, line) => text.padEnd(line.start) + line.text, '');
}
