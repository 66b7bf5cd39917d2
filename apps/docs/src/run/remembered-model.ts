const place = 'speech-api-model';

/** The id of the voice that Run created last in this tab; an id is no secret, and keys are never kept. */
export function rememberedModel(): string | undefined {
  try {
    return sessionStorage.getItem(place) ?? undefined;
  } catch {
    // If the browser stores nothing, the sample's own id stays.
    return undefined;
  }
}

/** Keeps the id of a voice that was just created, for the pages that read, change and delete it. */
export function rememberModel(answer: string): void {
  try {
    const { _id }: { _id?: unknown } = JSON.parse(answer);
    if (typeof _id === 'string') sessionStorage.setItem(place, _id);
  } catch {
    // An answer without an id has nothing to fill in.
  }
}
