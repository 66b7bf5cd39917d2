/**
 * Bytes as a caller may hand them over: a view, a buffer or a Blob (a File is one).
 * Whole and in memory, or backed by a file in the case of a Blob; never a base64 string.
 */
export type BinaryInput = Uint8Array | ArrayBuffer | Blob;
