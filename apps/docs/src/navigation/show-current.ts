/** Scrolls the list of pages so far that the page of the reader is in view, without moving the page itself. */
const pane = document.querySelector('.sidebar-pane');
const current = pane?.querySelector('a[aria-current="page"]');
if (pane && current) {
  const { top, bottom } = pane.getBoundingClientRect();
  const place = current.getBoundingClientRect();
  if (place.top < top || place.bottom > bottom) pane.scrollTop += place.top - (top + bottom) / 2;
}
