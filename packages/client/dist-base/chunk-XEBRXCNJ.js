// src/read-audio.ts
import { limits } from "@speech-api/types/constants";
async function readAudio(stream, options = {}) {
  const { name = "audio", maximumBytes = limits.requestBodyBytes } = options;
  requireStream("stream", stream);
  const pieces = [];
  let length = 0;
  for await (const piece of stream) {
    length += piece.length;
    if (length > maximumBytes) throw new RangeError(`the stream has more than ${maximumBytes} bytes`);
    pieces.push(piece);
  }
  return new File(pieces, name);
}
function requireStream(name, value) {
  if (Symbol.asyncIterator in Object(value)) return;
  const isPath = typeof value === "string";
  const instead = isPath ? "; openAudioFile(path) opens a file" : "; for bytes use writeFile of node:fs/promises";
  const what = value instanceof Promise ? "is a promise; await it first" : `must be a stream of bytes${instead}`;
  throw new TypeError(`the ${name} ${what}`);
}

export {
  readAudio,
  requireStream
};
