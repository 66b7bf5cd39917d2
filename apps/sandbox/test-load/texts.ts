const sentences = [
  'The ferry leaves at half past six, and the baker opens a little earlier on days like this.',
  'Please bring the blue folder, two pens and the list of names that we printed on Monday.',
  'It rained for three days, then the river came over the wall and into the lower garden.',
  'Nobody at the station knew why the train had stopped, or when it would go on again.',
  'She wrote down every number from the meter, and they added up to one hundred and twelve.',
  'If the light is green, you may open the valve; if it is red, call the number on the door.',
] as const;

/** So many sentences, others for each caller and round, and the same in each run. */
export function textOf(caller: number, round: number, count: number): string {
  return Array.from(
    { length: count },
    (_, index) => sentences[(caller + round + index) % sentences.length],
  ).join(' ');
}

export const formats = ['mp3', 'opus', 'wav', 'pcm'] as const;
