/** The element that matches, or an error that names what is missing: the page and its script must fit together. */
export function find<Kind extends Element = HTMLElement>(root: ParentNode, selector: string): Kind {
  const element = root.querySelector<Kind>(selector);
  if (!element) throw new Error(`the playground has no ${selector}`);
  return element;
}

/** A copy of the one element that a template holds. */
export function fromTemplate(template: HTMLTemplateElement): HTMLElement {
  const element = template.content.firstElementChild?.cloneNode(true);
  if (!(element instanceof HTMLElement)) throw new Error('the template is empty');
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

/** Makes a tab list work as keyboards expect it: arrows, Home and End move, one tab alone is in the tab order. */
export function connectTabs(list: HTMLElement): { select(name: string): void } {
  const tabs = [...list.querySelectorAll<HTMLElement>('[role="tab"]')];

  function select(chosen: HTMLElement | undefined): void {
    if (!chosen) return;
    for (const tab of tabs) {
      const selected = tab === chosen;
      tab.setAttribute('aria-selected', String(selected));
      tab.tabIndex = selected ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      if (panel) panel.hidden = !selected;
    }
  }

  list.addEventListener('click', (event) => {
    select(tabs.find((tab) => event.target instanceof Node && tab.contains(event.target)));
  });
  list.addEventListener('keydown', (event) => {
    const current = tabs.findIndex((tab) => tab.getAttribute('aria-selected') === 'true');
    const target = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: tabs.length - 1 }[
      event.key
    ];
    if (target === undefined) return;
    event.preventDefault();
    const tab = tabs[(target + tabs.length) % tabs.length];
    select(tab);
    tab?.focus();
  });

  return { select: (name) => select(tabs.find((tab) => tab.dataset.tab === name)) };
}

/** A size as people say it. */
export function sayBytes(bytes: number): string {
  if (bytes < 100_000) return `${(bytes / 1000).toFixed(1)} kB`;
  return bytes < 1_000_000_000
    ? `${(bytes / 1_000_000).toFixed(1)} MB`
    : `${(bytes / 1_000_000_000).toFixed(2)} GB`;
}

/** Keys are called by the names that the reader's machine has for them. */
export function nameKeys(root: ParentNode): void {
  if (!/Mac|iPhone|iPad/.test(navigator.platform)) return;
  for (const key of root.querySelectorAll('[data-command-key]')) key.textContent = '⌘\u202fEnter';
}
