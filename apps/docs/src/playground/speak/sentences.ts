/** A text to begin with. */
export interface SampleSentence {
  readonly label: string;
  readonly language: string;
  readonly text: string;
}

export const sampleSentences: readonly SampleSentence[] = [
  {
    label: 'English',
    language: 'en',
    text: 'Every word on this page lights up at the moment you hear it, not a moment before.',
  },
  { label: '中文', language: 'zh', text: '你好，世界。每一个字都会在你听到它的时候亮起来。' },
  {
    label: 'Numbers',
    language: 'en',
    text: 'The 7:45 train leaves from platform 12. It takes 36 minutes, and costs 18 pounds.',
  },
];

/** `zh` when the text is mostly Chinese, else undefined: enough to choose a voice and a font by. */
export function languageOf(text: string): 'zh' | undefined {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return letters > 0 && han / letters > 0.3 ? 'zh' : undefined;
}
