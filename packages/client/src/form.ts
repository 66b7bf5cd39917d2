import type { BinaryInput } from '@speech-api/types';

type FormValue = string | number | boolean | null | undefined | BinaryInput;

/**
 * A multipart body: one part a value, an array as parts of the same name. Null and undefined are left out,
 * for a form cannot say null.
 */
export function createForm(fields: Readonly<Record<string, FormValue | readonly FormValue[]>>): FormData {
  const form = new FormData();
  for (const [name, field] of Object.entries(fields)) {
    for (const value of Array.isArray(field) ? field : [field]) {
      if (value === null || value === undefined) continue;
      if (typeof value !== 'object') form.append(name, String(value));
      // A part without a file name would arrive as a text field.
      else form.append(name, toBlob(value), (value as Partial<File>).name ?? name);
    }
  }
  return form;
}

/** The same bytes as a `Blob`; a `Blob` or `File` stays as it is. */
export function toBlob(value: BinaryInput): Blob {
  return value instanceof Blob ? value : new Blob([value as Uint8Array<ArrayBuffer> | ArrayBuffer]);
}
