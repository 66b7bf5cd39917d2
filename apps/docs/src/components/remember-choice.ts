/**
 * The guides let a reader choose a runtime, the reference a language. Whoever chose one has said something about the
 * other too, so both are kept where the tabs look for them when the next page is drawn.
 */
const stored = (key: string) => `starlight-synced-tabs__${key}`;

function carryOver(event: Event): void {
  const tabs = event.target instanceof Element ? event.target.closest<HTMLElement>('starlight-tabs') : null;
  const key = tabs?.dataset.syncKey;
  if (key === undefined) return;
  // The tabs keep the choice in their own listener; after it, it is there to be read.
  setTimeout(() => {
    const choice = localStorage.getItem(stored(key));
    if (choice === null) return;
    if (key === 'runtime') {
      localStorage.setItem(stored('language'), choice === 'curl' ? 'curl' : 'TypeScript');
    }
    if (key === 'language' && (choice === 'curl') !== (localStorage.getItem(stored('runtime')) === 'curl')) {
      localStorage.setItem(stored('runtime'), choice === 'curl' ? 'curl' : 'Node');
    }
  });
}

document.addEventListener('click', carryOver);
document.addEventListener('keydown', carryOver);
