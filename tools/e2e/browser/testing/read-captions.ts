/** A caption as a file tells it. */
export interface Caption {
  /** Seconds. */
  readonly start: number;
  /** Seconds. */
  readonly end: number;
  readonly text: string;
}

/** Reads WebVTT or SubRip, strictly: a block that is no caption is an error. */
export function readCaptions(file: string): Caption[] {
  const isVtt = file.startsWith('WEBVTT\n');
  const blocks = file
    .replace(/^WEBVTT\n+/, '')
    .trim()
    .split(/\n{2,}/);
  return blocks.map((block, index) => {
    const lines = block.split('\n');
    if (!isVtt && lines.shift() !== String(index + 1)) throw new Error(`caption ${index + 1} has no number`);
    const time = /^(\d{2,}):(\d\d):(\d\d)[.,](\d{3}) --> (\d{2,}):(\d\d):(\d\d)[.,](\d{3})$/.exec(
      lines.shift() ?? '',
    );
    if (time === null) throw new Error(`caption ${index + 1} has no times: ${block}`);
    const [start, end] = [time.slice(1, 5), time.slice(5)].map((parts) => {
      const [hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = parts.map(Number);
      return hours * 3600 + minutes * 60 + seconds + milliseconds / 1000;
    });
    return { start: start ?? 0, end: end ?? 0, text: lines.join(' ') };
  });
}
