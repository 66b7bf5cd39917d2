/** What the bytes of audio are found to be, whatever they are called. */
export interface AudioFacts {
  /** One of the four formats, or `other`. */
  readonly format: 'wav' | 'pcm' | 'mp3' | 'opus' | 'other';
  /** The format in words, such as `FLAC` or `text`. */
  readonly described: string;
  /** Hz. For samples without a header, the rate that was asked for. */
  readonly sampleRate?: number;
  readonly channels?: number;
  /** Of uncompressed audio. */
  readonly bitsPerSample?: number;
  /** Of one channel. */
  readonly samples: number;
  readonly seconds: number;
  /** The loudest sample, 0 to 1. */
  readonly peak: number;
  /** Of mp3: every bitrate that a frame of audio has, in kbps. */
  readonly frameBitrates?: readonly number[];
  /** Of opus: what its packets take on average, in bits per second. */
  readonly bitsPerSecond?: number;
  /** Pieces that no decoder accepts. */
  readonly damage: readonly AudioFlaw[];
  /** The end is missing. */
  readonly cut?: AudioFlaw;
  /** A size in the header that is neither true nor a placeholder. */
  readonly wrongSize?: AudioFlaw;
  /** Samples that make sense only with their bytes swapped. */
  readonly looksByteSwapped?: boolean;
  /** Samples without a header that come in equal pairs, as those of two channels. */
  readonly looksPaired?: boolean;
  /** SHA-256 of the samples, in hexadecimal. */
  readonly fingerprint: string;
}

export interface AudioFlaw {
  readonly message: string;
  /** Its position, in bytes. */
  readonly byte: number;
}

/** What was asked for; samples without a header can be understood no other way. */
export interface ExpectedAudio {
  readonly format: 'wav' | 'pcm' | 'mp3' | 'opus';
  readonly sampleRate: number;
}

/** The bytes of strict base64: standard alphabet, padded, nothing else; `undefined` when it is not base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64');
  // Node's decoder skips what it does not know; only the text that the bytes are written as is the right one.
  return bytes.toString('base64') === text ? bytes : undefined;
}
