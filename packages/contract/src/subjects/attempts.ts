/** True if the status is that of a success; 101 opens a live session. */
export function isSuccess(status: number): boolean {
  return status === 101 || (status >= 200 && status < 300);
}

/** No credit, too many calls, no room, a gateway without a server: such an answer says nothing about its request. */
export const aboutTheAccount: readonly number[] = [402, 429, 502, 503, 504];

/** Describes the answers to calls that all failed, as in `made 3 times, always answered 503`. */
export function describeAttempts(statuses: readonly number[]): string {
  const answers = statuses.map((status) => {
    if (status === 0) return 'not answered';
    return status === 101 ? 'opened and left without a reply' : `answered ${status}`;
  });
  const [only, ...others] = [...Map.groupBy(answers, (answer) => answer)];
  if (only === undefined) return 'never made';
  const [answer] = only;
  if (others.length === 0)
    return answers.length === 1 ? `made once, ${answer}` : `made ${times(answers.length)}, always ${answer}`;
  const parts = [only, ...others].map(([each, all]) => `${each} (${times(all.length)})`);
  return `made ${times(answers.length)}, ${parts.join(', ')}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}
