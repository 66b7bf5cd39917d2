/**
 * Bytes as a caller hands them over: a view, a buffer or a Blob (a File is one).
 * Never a base64 string: what carries the bytes on the wire is decided when they are sent.
 */
export type BinaryInput = Uint8Array | ArrayBuffer | Blob;

/** Bytes of an answer: which of the three, follows from how the body is read. */
export type BinaryOutput = ReadableStream<Uint8Array> | ArrayBuffer | Blob;
