const vowel = /[aeiouyæɑɐɒəɚɛɜɝɤɨɪɔøœɯʉʊʌ]/u;

export function isVowel(phoneme: string): boolean {
  return vowel.test(phoneme);
}

/** When each syllable begins: one a vowel, with the consonant right before it. */
export function syllableStarts(sounds: readonly { phoneme: string; time: number }[]): number[] {
  const starts: number[] = [];
  sounds.forEach((sound, index) => {
    if (!isVowel(sound.phoneme)) return;
    const before = sounds[index - 1];
    const onset = before !== undefined && !isVowel(before.phoneme) ? before : sound;
    starts.push(onset.time);
  });
  return starts;
}
