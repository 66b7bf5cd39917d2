/** A request with three reference clips of ten megabytes, as a caller may send it to clone a voice. */
export function requestWithReferences() {
  const references = [1, 2, 3].map((fill) => ({
    audio: new Uint8Array(10e6).fill(fill),
    text: 'What is said in this clip, word for word.',
  }));
  return { text: 'A sentence in that voice.', format: 'pcm' as const, references };
}
