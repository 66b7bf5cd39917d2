import type { Explanation } from './explanation.ts';

/**
 * Shows what went wrong, or nothing. The element is an alert: what is put into it is read out.
 *
 * @param show opens the field that is to be changed
 */
export function showProblem(
  root: HTMLElement,
  explanation: Explanation | undefined,
  show?: (field: 'baseUrl' | 'apiKey') => void,
): void {
  root.hidden = explanation === undefined;
  root.replaceChildren();
  if (!explanation) return;
  const { title, advice, steps, command, afterwards, detail, field } = explanation;
  root.append(element('strong', title), element('p', advice));
  if (steps !== undefined) {
    const list = document.createElement('ol');
    list.append(...steps.map((step) => element('li', step)));
    root.append(list);
  }
  if (command !== undefined) root.append(element('code', command));
  if (afterwards !== undefined) root.append(element('p', afterwards));
  if (detail !== undefined && detail !== advice) root.append(element('small', detail));
  if (field !== undefined && show !== undefined) {
    const button = element('button', field === 'apiKey' ? 'Change the key' : 'Change the address');
    button.setAttribute('type', 'button');
    button.addEventListener('click', () => show(field));
    root.append(button);
  }
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}
