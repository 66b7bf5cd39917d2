import ts from 'typescript';
import type { Comment } from './model.ts';

/** What the comment above a declaration says. */
export function readComment(declaration: ts.Node): Comment {
  const blocks = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc);
  const block = blocks.at(-1);
  const tags = block?.tags ?? [];
  const all = (...names: string[]): string[] =>
    tags.filter(({ tagName }) => names.includes(tagName.text)).map(({ comment }) => textOf(comment));
  const parameters = tags.flatMap((tag) =>
    ts.isJSDocParameterTag(tag)
      ? [{ name: tag.name.getText(), text: textOf(tag.comment).replace(/^- /, '') }]
      : [],
  );
  const remarks = all('remarks');
  return {
    text: [textOf(block?.comment), ...remarks].join('\n\n').trim(),
    defaultValue: all('defaultValue', 'default').join(' ').replaceAll('`', ''),
    parameters,
    returns: all('returns', 'return').join(' '),
    throws: all('throws'),
    examples: all('example').map(codeOf),
  };
}

/** The words of a comment; a link is a Markdown link to `symbol:Name`, or to the address it names. */
function textOf(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  if (comment === undefined) return '';
  if (typeof comment === 'string') return comment;
  return comment
    .map((part) => {
      if (part.kind === ts.SyntaxKind.JSDocText) return part.text;
      const target = `${part.name?.getText() ?? ''}${part.text.startsWith('://') ? part.text.split(/[\s|]/)[0] : ''}`;
      const label = part.text.replace(/^:\/\/\S*/, '').replace(/^\s*\|?\s*/, '');
      if (target.includes('://')) return `[${label || target}](${target})`;
      return `[\`${label || target}\`](symbol:${target})`;
    })
    .join('');
}

/** The code of an example, without the fence around it. */
function codeOf(example: string): string {
  return example
    .replace(/^[\s\S]*?```\w*[^\n]*\n/, '')
    .replace(/\n```[\s\S]*$/, '')
    .trim();
}
