/** Hz. What is listened to has this rate, whatever the file has: speech is all below half of it. */
export const listeningRate = 8000;

/** Somebody who listens to a recording while it is decoded. */
export interface Listener {
  /** @param samples mono, at {@link listeningRate} */
  push(samples: Float32Array): void;
}
