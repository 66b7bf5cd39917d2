/** Half of the line that silence is drawn as, and the room kept above the loudest. */
const leastHeight = 0.5;
const margin = 1;

/** A clip that is quieter than this is drawn as quiet; any other one fills its room. */
const quiet = 0.2;

/** The outline of columns from 0 to 1, mirrored at the middle, the loudest to the edge, as the data of an SVG path. */
export function drawWaveform(columns: readonly number[], width: number, height: number): string {
  const middle = height / 2;
  const x = (index: number) => round((index / columns.length) * width);
  const loudest = Math.max(quiet, ...columns);
  const reach = (peak: number) => Math.max(leastHeight, (peak / loudest) * (middle - margin));
  const upper = columns.map((peak, index) => `L${x(index)} ${round(middle - reach(peak))}`);
  const lower = columns.map((peak, index) => `L${x(index)} ${round(middle + reach(peak))}`).reverse();
  const start = `M0 ${round(middle - reach(columns[0] ?? 0))}`;
  return `${start}${upper.join('')}${lower.join('')}Z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
