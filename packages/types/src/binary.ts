/**
 * Bytes as a caller hands them over: a view, a buffer or a Blob (a File is one).
 * Never a base64 string: what carries the bytes on the wire is decided when they are sent.
 */
export type BinaryInput = Uint8Array | ArrayBuffer | Blob;

/** Bytes of an answer; how the body is read decides which of the three. */
export type BinaryOutput = ReadableStream<Uint8Array> | ArrayBuffer | Blob;
