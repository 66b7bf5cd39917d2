/** `/` opens the search; the arrow keys go through its results and back to its field. */
function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const dialog = document.querySelector<HTMLDialogElement>('site-search dialog');
  if (event.key === '/' && dialog?.open === false && !isTyping(event.target)) {
    event.preventDefault();
    document.querySelector<HTMLElement>('site-search [data-open-modal]')?.click();
    return;
  }
  if (dialog?.open !== true || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
  const field = dialog.querySelector<HTMLElement>('.pagefind-ui__search-input');
  const stops = [
    ...(field ? [field] : []),
    ...dialog.querySelectorAll<HTMLElement>('.pagefind-ui__result-link'),
  ];
  const here = stops.findIndex((stop) => stop.matches(':focus'));
  const next = stops[here + (event.key === 'ArrowDown' ? 1 : -1)];
  if (here === -1 || next === undefined) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: 'nearest' });
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role="slider"]'))
  );
}

document.addEventListener('keydown', onKey);
