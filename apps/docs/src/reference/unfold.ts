export {};

/** Opens what a link leads into: a field may be in a part of a list that is folded. */
function unfold(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id === '' ? null : document.getElementById(id);
  let folded = target?.closest('details:not([open])') ?? null;
  if (target === null || folded === null) return;
  while (folded instanceof HTMLDetailsElement) {
    folded.open = true;
    folded = folded.parentElement?.closest('details:not([open])') ?? null;
  }
  target.scrollIntoView();
}

const stored = 'show-sources';

/** The switch that shows every mark, opened: a reader who does not ask for sources sees none. */
class ShowSources extends HTMLElement {
  connectedCallback(): void {
    const box = this.querySelector('input');
    if (box === null) return;
    box.checked = localStorage.getItem(stored) === 'yes';
    if (box.checked) this.#show(true);
    box.addEventListener('change', () => {
      localStorage.setItem(stored, box.checked ? 'yes' : 'no');
      this.#show(box.checked);
    });
  }

  #show(isOpen: boolean): void {
    document.documentElement.toggleAttribute('data-sources', isOpen);
    for (const mark of document.querySelectorAll<HTMLDetailsElement>('[data-mark]')) mark.open = isOpen;
  }
}

customElements.define('show-sources', ShowSources);
addEventListener('hashchange', unfold);
unfold();
