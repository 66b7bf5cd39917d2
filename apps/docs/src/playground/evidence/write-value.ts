/** A value as TypeScript, over several lines where one would be long. */
export function writeValue(value: unknown): string {
  if (typeof value === 'string') return literal(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }'];
  const fields = Array.isArray(value)
    ? value.map(writeValue)
    : Object.entries(value).map(([name, field]) => `${name}: ${writeValue(field)}`);
  const oneLine = `${open}${fields.join(', ')}${close}`;
  return oneLine.length <= 60 && !oneLine.includes('\n')
    ? oneLine
    : `${open.trim()}\n${fields.map((field) => `  ${indent(field, 2)},`).join('\n')}\n${close.trim()}`;
}

/** A string as TypeScript. */
export function literal(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/** Moves all lines but the first to the right. */
export function indent(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
