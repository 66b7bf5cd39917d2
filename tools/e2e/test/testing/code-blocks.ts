import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a slash at its end. */
export const root: string = fileURLToPath(new URL('../../../../', import.meta.url));

/** A fenced block of code, in a README or in the comment of a public function. */
export interface CodeBlock {
  readonly file: string;
  /** Line of the opening fence, counted from 1. */
  readonly line: number;
  readonly language: string;
  /** Words behind the language, such as `norun`. */
  readonly marks: readonly string[];
  readonly code: string;
}

export function codeBlocks(patterns: readonly string[]): CodeBlock[] {
  const exclude = ['**/node_modules/**', '**/dist/**'];
  const found = globSync([...patterns], { cwd: root, exclude });
  const files = found.map((file) => file.replaceAll('\\', '/')).sort();
  return files.flatMap((file) => blocksOf(file, readFileSync(root + file, 'utf8')));
}

function blocksOf(file: string, text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { line: number; language: string; marks: string[]; lines: string[] } | undefined;
  for (const [index, whole] of text.split('\n').entries()) {
    // In a comment every line begins with a star.
    const line = file.endsWith('.ts') ? whole.replace(/^\s*\* ?/, '') : whole;
    const fence = /^```(\S*)\s*(.*)$/.exec(line);
    if (open && fence) {
      const { lines, ...rest } = open;
      blocks.push({ file, ...rest, code: `${lines.join('\n')}\n` });
      open = undefined;
    } else if (open) open.lines.push(line);
    else if (fence) {
      const marks = (fence[2] ?? '').split(' ').filter(Boolean);
      open = { line: index + 1, language: fence[1] ?? '', marks, lines: [] };
    }
  }
  if (open) throw new Error(`${file}:${open.line} opens a block of code that is never closed`);
  return blocks;
}
