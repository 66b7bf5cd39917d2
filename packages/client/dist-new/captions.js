// src/captions.ts
import {
  asWritten,
  writeSrt,
  writeVtt
} from "@speech-api/streaming";
function toVtt(transcript, options) {
  const segments = written(transcript);
  return "toVtt" in transcript ? transcript.toVtt(options) : writeVtt(segments, options);
}
function toSrt(transcript, options) {
  const segments = written(transcript);
  return "toSrt" in transcript ? transcript.toSrt(options) : writeSrt(segments, options);
}
function written(transcript) {
  const { segments, text } = Object(transcript);
  const isSilent = typeof text === "string" && !/[\p{L}\p{N}]/u.test(text);
  if (Array.isArray(segments) && (segments.length > 0 || isSilent)) {
    return typeof text === "string" ? asWritten(segments, text) : segments;
  }
  if (Array.isArray(segments) && "toVtt" in transcript) {
    throw new TypeError("the timeline has no words yet; read the stream to its end, or collect() it, first");
  }
  throw new TypeError("the transcript has no segments; transcribe with ignore_timestamps: false");
}
export {
  toSrt,
  toVtt
};
