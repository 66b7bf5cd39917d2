import type { ApiRequest } from './request.ts';
import { type FieldTypes, type SampleTemplate, writeSample } from './write-sample.ts';

/** Keeps the samples of a page, and what their Copy copies, the request that is edited beside them. */
export class SampleView {
  readonly #blocks: readonly { readonly figure: Element; readonly lines: ReadonlyMap<string, Element> }[];
  readonly #templates: readonly SampleTemplate[];
  readonly #types: FieldTypes;

  constructor(root: ParentNode, templates: readonly SampleTemplate[], types: FieldTypes) {
    this.#templates = templates;
    this.#types = types;
    this.#blocks = [...root.querySelectorAll('[role="tabpanel"] figure')].map((figure) => ({
      figure,
      lines: new Map([...figure.querySelectorAll('.ec-line')].map((line) => [textOf(line), line])),
    }));
  }

  show(request: ApiRequest): void {
    this.#blocks.forEach(({ figure, lines }, index) => {
      const template = this.#templates[index];
      if (template === undefined) return;
      const code = writeSample(template, request, this.#types);
      // A line that is as it was when the page was built has its colours.
      const shown = code.split('\n').map((text) => lines.get(text)?.cloneNode(true) ?? plainLine(text));
      figure.querySelector('code')?.replaceChildren(...shown);
      const copy = figure.querySelector<HTMLElement>('[data-code]');
      // The button of the blocks keeps line breaks as this character.
      if (copy) copy.dataset.code = code.replaceAll('\n', '\u007f');
    });
  }
}

const textOf = (line: Element): string => line.textContent.replace(/\n$/, '');

function plainLine(text: string): HTMLElement {
  const line = document.createElement('div');
  line.className = 'ec-line';
  const code = document.createElement('div');
  code.className = 'code';
  code.textContent = text || '\n';
  line.append(code);
  return line;
}
