/** The button that copies the text of the page, beside the link to it. */
class CopyPage extends HTMLElement {
  connectedCallback(): void {
    const button = this.querySelector('button');
    const link = this.querySelector('a');
    const status = this.querySelector('[role="status"]');
    // Pages that do not come over https, nor from this machine, may not write to the clipboard: the link remains.
    if (button === null || link === null || status === null || navigator.clipboard === undefined) return;
    button.hidden = false;
    const label = button.textContent;
    button.addEventListener('click', async () => {
      const copied = await copyText(link.href).then(
        () => true,
        () => false,
      );
      button.textContent = copied ? 'Copied' : 'Not copied';
      status.textContent = copied
        ? 'The page is in the clipboard, as Markdown.'
        : 'The page could not be copied.';
      setTimeout(() => {
        button.textContent = label;
      }, 2000);
    });
  }
}

async function copyText(address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  await navigator.clipboard.writeText(await response.text());
}

customElements.define('copy-page', CopyPage);
