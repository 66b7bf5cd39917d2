import type { BinaryInput } from '@speech-api/types';

type FormValue = string | number | boolean | null | undefined | BinaryInput;
type FormFields = Readonly<Record<string, FormValue | readonly FormValue[]>>;

/**
 * A multipart body: one part a value, an array as parts of the same name. Null and undefined are left out,
 * for a form cannot say null.
 */
export function createForm(fields: FormFields): FormData {
  const form = new FormData();
  for (const [name, value] of formEntries(fields)) {
    if (typeof value !== 'object') form.append(name, String(value));
    // A part without a file name would arrive as a text field.
    else form.append(name, toBlob(value), (value as Partial<File>).name ?? name);
  }
  return form;
}

/** A urlencoded body: an array as repeated keys, never as a list joined by commas. */
export function createUrlEncoded(fields: FormFields): string {
  const form = new URLSearchParams();
  for (const [name, value] of formEntries(fields)) form.append(name, String(value));
  return form.toString();
}

/** The same bytes as a `Blob`; a `Blob` or `File` stays as it is. */
export function toBlob(value: BinaryInput): Blob {
  return value instanceof Blob ? value : new Blob([value as Uint8Array<ArrayBuffer> | ArrayBuffer]);
}

function* formEntries(fields: FormFields): Generator<[string, NonNullable<FormValue>]> {
  for (const [name, field] of Object.entries(fields)) {
    for (const value of (Array.isArray(field) ? field : [field]) as readonly FormValue[]) {
      if (value !== null && value !== undefined) yield [name, value];
    }
  }
}
