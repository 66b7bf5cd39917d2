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

export {};
