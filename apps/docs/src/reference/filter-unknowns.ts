/** The filter of the register: words, and where a choice comes from. */
class UnknownsFilter extends HTMLElement {
  connectedCallback(): void {
    const form = this.querySelector('form');
    const status = this.querySelector('output');
    if (form === null || status === null) return;
    const entries = [...document.querySelectorAll<HTMLElement>('.register > .entry')].map((element) => ({
      element,
      text: (element.textContent ?? '').toLowerCase(),
    }));
    const show = (): void => {
      const data = new FormData(form);
      const words = String(data.get('words') ?? '')
        .toLowerCase()
        .split(/\s+/);
      const from = String(data.get('from') ?? '');
      let shown = 0;
      for (const { element, text } of entries) {
        const fits =
          words.every((word) => text.includes(word)) && (from === '' || element.dataset.from === from);
        element.hidden = !fits;
        if (fits) shown += 1;
      }
      status.textContent = `${shown} of ${entries.length}`;
    };
    form.addEventListener('input', show);
    form.addEventListener('submit', (event) => event.preventDefault());
    // A link to an entry shows it, whatever is filtered.
    window.addEventListener('hashchange', () => {
      const target = document.getElementById(location.hash.slice(1));
      if (target?.hidden) {
        form.reset();
        show();
        target.scrollIntoView();
      }
    });
    show();
  }
}

customElements.define('unknowns-filter', UnknownsFilter);
