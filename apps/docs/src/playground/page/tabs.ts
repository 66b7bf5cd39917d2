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
