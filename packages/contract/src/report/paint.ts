/** Colours of a terminal, or none. */
export type Paint = Readonly<Record<'red' | 'yellow' | 'green' | 'bold' | 'dim', (text: string) => string>>;

export function paints(isColoured: boolean): Paint {
  const paint = (open: number, close: number) => (text: string) =>
    isColoured ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    red: paint(31, 39),
    yellow: paint(33, 39),
    green: paint(32, 39),
    bold: paint(1, 22),
    dim: paint(2, 22),
  };
}
