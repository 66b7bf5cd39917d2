/** JSON as a person would write it: a list or an inner object that is short stays on one line. */
export function formatJson(value: unknown, indent = ''): string {
  const line = JSON.stringify(value, null, 1)
    .replaceAll(/\[\n *|\n *(?=\])/g, (edge) => edge.trim())
    .replaceAll(/\n */g, ' ');
  if (typeof value !== 'object' || value === null) return line;
  const isList = Array.isArray(value);
  const isShort = indent.length + line.length <= 72 && (isList || indent !== '');
  if (isShort || line === '{}') return line;
  const innerIndent = `${indent}  `;
  const entries = Object.entries(value).map(
    ([key, entry]) =>
      `${innerIndent}${isList ? '' : `${JSON.stringify(key)}: `}${formatJson(entry, innerIndent)}`,
  );
  const [opening, closing] = isList ? '[]' : '{}';
  return `${opening}\n${entries.join(',\n')}\n${indent}${closing}`;
}
