export {};

/** Opens what a link leads into: a field may be in a part of a list that is folded. */
function unfold(): void {
  const target = document.getElementById(location.hash.slice(1));
  let folded = target?.closest('details:not([open])');
  if (!folded) return;
  for (; folded; folded = folded.parentElement?.closest('details:not([open])'))
    folded.setAttribute('open', '');
  target?.scrollIntoView();
}

const storageName = 'show-sources';

/** The switch that shows every mark, opened: a reader who does not ask for sources sees none. */
class ShowSources extends HTMLElement {
  connectedCallback(): void {
    const box = this.querySelector('input');
    box?.addEventListener('change', () => {
      this.#show(box.checked);
      localStorage.setItem(storageName, box.checked ? 'yes' : 'no');
    });
    // A browser that blocks storage throws here; the switch works all the same and is forgotten.
    if (box === null || localStorage.getItem(storageName) !== 'yes') return;
    box.checked = true;
    this.#show(true);
  }

  #show(isOpen: boolean): void {
    document.documentElement.toggleAttribute('data-sources', isOpen);
    for (const mark of document.querySelectorAll<HTMLDetailsElement>('[data-mark]')) mark.open = isOpen;
  }
}

customElements.define('show-sources', ShowSources);
addEventListener('hashchange', unfold);
unfold();
