/** A file that is no audio, is damaged, or takes more than its share of time. The message says which, for its sender. */
export class UnreadableAudioError extends Error {
  override readonly name = 'UnreadableAudioError';
}
