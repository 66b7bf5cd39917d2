/** A file that came as a part of a form. */
export interface FilePart {
  readonly kind: 'file';
  /** The name the sender gave, without folders; empty when it gave none. */
  readonly fileName: string;
  /** The media type the sender claims. Never trusted. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** One field of a form, in the order of arrival; a name may come more than once. */
export interface FormEntry {
  readonly name: string;
  readonly value: string | FilePart;
}
