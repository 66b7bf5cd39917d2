const token =
  /(?<comment>(?<![:\w])\/\/[^\n]*)|(?<string>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|(?<number>(?<![\w.:/-])\d+(?:\.\d+)?(?![\w.:/-]))|(?<keyword>\b(?:import|from|const|await|for|of|if|true|false|null|export|curl)\b)/g;

/** Colours strings, numbers, words of the language and comments: enough for the few lines the page writes. */
export function highlightCode(code: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  let position = 0;
  for (const match of code.matchAll(token)) {
    const kind = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined)?.[0];
    if (kind === undefined) continue;
    fragment.append(code.slice(position, match.index));
    const span = document.createElement('span');
    span.className = `code-${kind}`;
    span.textContent = match[0];
    fragment.append(span);
    position = match.index + match[0].length;
  }
  fragment.append(code.slice(position));
  return fragment;
}
