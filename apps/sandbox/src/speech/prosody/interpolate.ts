/**
 * The second number of the points at `value` of the first, which rises; beyond the ends the outermost second number
 * holds.
 */
export function interpolate(points: readonly (readonly [number, number])[], value: number): number {
  let previous = points[0];
  for (const point of points) {
    if (previous !== undefined && value <= point[0]) {
      const width = point[0] - previous[0];
      const share = width === 0 ? 0 : Math.max(0, (value - previous[0]) / width);
      return previous[1] + share * (point[1] - previous[1]);
    }
    previous = point;
  }
  return previous?.[1] ?? value;
}
