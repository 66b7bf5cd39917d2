/** The captions of a WebVTT or SubRip file, with their times in seconds: both write them alike. */
export function readCaptions(file: string) {
  return [...file.matchAll(/^(\S+) --> (\S+)\n((?:.+\n?)+)/gm)].map(
    ([, start = '', end = '', text = '']) => ({
      start: secondsOf(start),
      end: secondsOf(end),
      text: text.trim().replaceAll('\n', ' '),
    }),
  );
}

function secondsOf(time: string): number {
  return time
    .replace(',', '.')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);
}
