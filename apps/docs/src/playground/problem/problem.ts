import type { Explanation } from './explain-error.ts';

/** Shows what went wrong, or nothing. */
export function showProblem(root: HTMLElement, explanation: Explanation | undefined): void {
  root.hidden = explanation === undefined;
  root.replaceChildren();
  if (!explanation) return;
  root.append(paragraph('strong', explanation.title), paragraph('p', explanation.advice));
  if (explanation.command !== undefined) root.append(paragraph('code', explanation.command));
  if (explanation.detail !== undefined && explanation.detail !== explanation.advice) {
    root.append(paragraph('small', explanation.detail));
  }
}

function paragraph(name: string, text: string): HTMLElement {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
