/** Anything that becomes a MessagePack binary: bytes, views of bytes (a Node `Buffer` too), and blobs and files. */
export type BinaryValue = Uint8Array | ArrayBuffer | ArrayBufferView | Blob;

/** True for what {@link BinaryValue} names, from another realm too. */
export function isBinary(value: object): value is BinaryValue {
  if (ArrayBuffer.isView(value)) return true;
  const kind = kindOf(value);
  return kind === 'ArrayBuffer' || kind === 'SharedArrayBuffer' || kind === 'Blob' || kind === 'File';
}

/** The same memory as bytes; a blob stays as it is. */
export function asPart(value: BinaryValue): Uint8Array<ArrayBuffer> | Blob {
  if (value instanceof Uint8Array) return value as Uint8Array<ArrayBuffer>;
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  }
  return isBlob(value) ? value : new Uint8Array(value);
}

/** Bytes in a part, without reading it. */
export function sizeOf(part: Uint8Array | Blob): number {
  return isBlob(part) ? part.size : part.byteLength;
}

/** The type that `Object.prototype.toString` names: `Map`, `Date`, `Object`. */
export function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

function isBlob(value: object): value is Blob {
  const kind = kindOf(value);
  return kind === 'Blob' || kind === 'File';
}
