import type { DialogueRequest } from '@speech-api/types';
import { type SoundSettings, soundPart } from '../sound/sound-fields.ts';

/** What somebody says. */
export interface DialogueLine {
  /** Place of the speaker: 0 is the first. */
  readonly speaker: number;
  readonly text: string;
}

/** Who speaks and what is said, in order. */
export interface DialogueScript {
  /** The voice model of each speaker. */
  readonly voices: readonly string[];
  readonly lines: readonly DialogueLine[];
}

/** How many lanes fit on a page; the service knows no limit. */
export const mostSpeakers = 4;

/** A script to begin with. */
export const sampleScript: DialogueScript = {
  voices: ['sandbox-alba', 'sandbox-blake'],
  lines: [
    { speaker: 0, text: 'Did the fog lift before the ferry came in?' },
    { speaker: 1, text: 'Not before. While it came in, and all at once.' },
    { speaker: 0, text: 'So you saw the whole harbour?' },
    { speaker: 1, text: 'Every mast of it.' },
  ],
};

/** The lines that have something to say. */
export function spokenLines({ lines }: DialogueScript): DialogueLine[] {
  return lines.filter(({ text }) => text.trim() !== '');
}

/** The request for a script: one text, a tag before each line. */
export function toDialogueRequest(script: DialogueScript, sound: SoundSettings): DialogueRequest {
  return {
    text: spokenLines(script)
      .map(({ speaker, text }) => `<|speaker:${speaker}|>${text.trim()}`)
      .join('\n'),
    reference_id: [...script.voices],
    ...soundPart(sound),
  };
}
