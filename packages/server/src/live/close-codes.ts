/** Close codes of the live socket, as the spec lists them under `x-close-codes`. 1009 is the library's own. */
export const closeCodes = {
  finished: 1000,
  goingAway: 1001,
  notMessagePack: 1007,
  refused: 1008,
  fault: 1011,
} as const;

/** What a close frame has room for. */
const mostBytes = 123;

/** A reason that fits into a close frame, cut between characters. */
export function closeReason(text: string): string {
  let reason = text.slice(0, mostBytes);
  while (Buffer.byteLength(reason) > mostBytes) reason = [...reason].slice(0, -1).join('');
  return reason;
}
