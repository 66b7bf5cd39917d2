/** A recorded answer: what was asked, the body piece by piece, and how it ended. */
export interface Transcript {
  readonly about: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: { readonly text: string; readonly format?: string; readonly sample_rate?: number };
  };
  /** Ids of the rules between events that the answer breaks. */
  readonly breaks: readonly string[];
  readonly pieces: readonly TranscriptPiece[];
  readonly end: 'clean' | 'broken';
}

/** A piece of the body, cut anywhere. */
export interface TranscriptPiece {
  /** Milliseconds after the request was sent. */
  readonly atMilliseconds: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

type Opening = Pick<Transcript, 'about' | 'request' | 'breaks'>;
type Line = Opening | readonly [number, string] | { readonly end: Transcript['end'] };

/** Reads a transcript from its JSON lines. */
export function parseTranscript(file: string): Transcript {
  const lines = file
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line));
  const opening = lines.find((line): line is Opening => 'request' in line);
  const ending = lines.find((line): line is { end: Transcript['end'] } => 'end' in line);
  if (opening === undefined || ending === undefined) throw new Error('the transcript is not whole');
  const { about, request, breaks } = opening;
  const pieces = lines.filter((line): line is readonly [number, string] => Array.isArray(line));
  return {
    about,
    request,
    breaks,
    pieces: pieces.map(([atMilliseconds, base64]) => ({ atMilliseconds, bytes: fromBase64(base64) })),
    end: ending.end,
  };
}

function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
