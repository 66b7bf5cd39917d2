/** The element that matches, or an error that names what is missing: the page and its script must fit together. */
export function find<Kind extends Element = HTMLElement>(root: ParentNode, selector: string): Kind {
  const element = root.querySelector<Kind>(selector);
  if (!element) throw new Error(`the playground has no ${selector}`);
  return element;
}

/** Hands bytes or text to the reader as a download. */
export function saveFile(name: string, type: string, content: readonly BlobPart[]): void {
  const address = URL.createObjectURL(new Blob([...content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has begun by the next turn; the address must live until then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A part of the page that is loaded late; after a new release, the part of an old page is gone. */
export function loadPart<Part>(part: Promise<Part>): Promise<Part> {
  return part.catch((cause: unknown) => {
    const message = navigator.onLine
      ? 'This page has changed; load it again.'
      : 'This machine is offline, and a part of this page must still be loaded.';
    throw new Error(message, { cause });
  });
}
