import { find } from '../playground/page/page.ts';
import { likelyPages, readList, wordsIn } from './likely-pages.ts';

/** Types into the field of the search, which the theme adds when the page is idle. */
function type(words: string): void {
  const field = document.querySelector<HTMLInputElement>('.pagefind-ui__search-input');
  if (field === null) {
    setTimeout(() => type(words), 50);
    return;
  }
  field.value = words;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** The page for addresses that lead nowhere: proposes pages of like addresses, and a search for its words. */
class NotFound extends HTMLElement {
  connectedCallback(): void {
    const base = this.dataset.base ?? '/';
    const words = wordsIn(location.pathname.slice(base.length - 1));
    if (words === '') return;
    const button = find<HTMLButtonElement>(this, 'button');
    find(button, 'q').textContent = words;
    button.hidden = false;
    button.addEventListener('click', (event) => {
      // The theme closes its search on a click anywhere else.
      event.stopPropagation();
      document.querySelector<HTMLElement>('site-search [data-open-modal]')?.click();
      type(words);
    });
    void this.#propose(base);
  }

  async #propose(base: string): Promise<void> {
    const answer = await fetch(`${base}llms.txt`);
    if (!answer.ok) return;
    const likely = likelyPages(location.pathname, readList(await answer.text()));
    if (likely.length === 0) return;
    find(this, 'ul').append(
      ...likely.map(({ title, address }) => {
        const link = document.createElement('a');
        link.href = address;
        link.textContent = title;
        const item = document.createElement('li');
        item.append(link);
        return item;
      }),
    );
    find(this, 'div').hidden = false;
  }
}

customElements.define('not-found', NotFound);
