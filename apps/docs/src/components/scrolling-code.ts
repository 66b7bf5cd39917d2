/**
 * Code that does not fit is reached by the keyboard, and the theme makes a landmark of each such block, without a name.
 * A page may have a dozen of them, and a list of nameless landmarks leads nobody anywhere.
 */
const watcher = new MutationObserver((changes) => {
  for (const { target } of changes) {
    if (target instanceof HTMLElement && target.matches('pre[role="region"]')) target.removeAttribute('role');
  }
});
watcher.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['role'] });

/** A table that does not fit is reached by the keyboard as well. */
const fitting = new ResizeObserver((tables) => {
  for (const { target } of tables) {
    if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
    else target.removeAttribute('tabindex');
  }
});
for (const table of document.querySelectorAll('.sl-markdown-content table')) fitting.observe(table);

export {};
