import type { Scenario } from '../step.ts';
import { speak, story } from './making.ts';

/** Long texts: that some of a short one is missing is heard, and cannot be measured. */
export const speechLong: readonly Scenario[] = (['wav', 'pcm', 'mp3'] as const).map((format, index) => ({
  name: `speech-long-${format}`,
  about: `a long text is spoken to its end, as ${format}`,
  priority: 80 + index,
  steps: [speak(`a long text as ${format}`, { text: story, format })],
}));
