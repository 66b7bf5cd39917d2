import { UsageError } from './usage.ts';

export interface Dialogue {
  readonly text: string;
  /** Voice models in the order of the speaker numbers. */
  readonly voices: readonly string[];
}

/** Turns lines like `Anna: Hello.` into a dialogue. `speakers` are of the form `Anna=voice-id`. */
export function readDialogue(script: string, speakers: readonly string[]): Dialogue {
  const names: string[] = [];
  const voices: string[] = [];
  for (const speaker of speakers) {
    const at = speaker.indexOf('=');
    if (at < 1 || at === speaker.length - 1) {
      throw new UsageError(`--speaker ${speaker} must be of the form NAME=VOICE, such as Anna=sandbox-alba.`);
    }
    names.push(speaker.slice(0, at).trim());
    voices.push(speaker.slice(at + 1).trim());
  }
  let text = '';
  for (const [index, line] of script.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, name = '', words = ''] = /^([^:]{1,80}):(.*)$/.exec(line.trim()) ?? [];
    const number = names.indexOf(name.trim());
    // A line without a name goes on with what the last speaker says.
    if (number === -1 && (text === '' || name !== '')) {
      const known = names.join(', ');
      throw new UsageError(
        `Line ${index + 1} must begin with a speaker and a colon. The speakers are ${known}.`,
      );
    }
    text += number === -1 ? ` ${line.trim()}` : `<|speaker:${number}|>${words.trim()}`;
  }
  return { text, voices };
}
