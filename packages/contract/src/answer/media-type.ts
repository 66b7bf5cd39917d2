/** A media type without its parameters, in lower case; empty when there is none, `undefined` when it is none. */
export function mediaTypeOf(header: string | undefined): string | undefined {
  if (header === undefined) return '';
  const essence = (header.split(';', 1)[0] ?? '').trim().toLowerCase();
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(essence) ? essence : undefined;
}

/** Text where audio belongs: words, pages, data. */
export function isTextType(mediaType: string): boolean {
  return mediaType.startsWith('text/') || /[/+](json|xml|html|javascript|yaml|csv)$/.test(mediaType);
}

export function isJsonType(mediaType: string): boolean {
  return /[/+]json$/.test(mediaType);
}
