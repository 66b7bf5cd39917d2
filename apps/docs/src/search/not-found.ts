import { find } from '../playground/page/page.ts';
import { likelyPages, readList } from './likely-pages.ts';

/** The page for addresses that lead nowhere: proposes pages with similar addresses. */
class NotFound extends HTMLElement {
  async connectedCallback(): Promise<void> {
    const base = this.dataset.base ?? '/';
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
