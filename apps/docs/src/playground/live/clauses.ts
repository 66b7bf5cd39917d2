const clauseEnd = /[,;:.!?…—]["'”’»)\]]*\s+|[，；：、。！？]+[」』”’）]*\s*|\n/gu;

/** End of the last complete clause of a text that is being typed; the text after it may still change. */
export function endOfClauses(text: string): number {
  const last = [...text.matchAll(clauseEnd)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}
