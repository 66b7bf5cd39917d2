export function clock(seconds: number, digits = 0): string {
  const rounded = Number(seconds.toFixed(digits));
  const minutes = Math.floor(rounded / 60);
  return `${minutes}:${(rounded - minutes * 60).toFixed(digits).padStart(digits === 0 ? 2 : 3 + digits, '0')}`;
}
