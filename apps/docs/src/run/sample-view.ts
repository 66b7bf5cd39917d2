import type { ApiRequest } from './request.ts';
import { type FieldTypes, type SampleTemplate, writeSample } from './write-sample.ts';

/** Takes the samples of a page. @returns what shows a request in them, and gives it to their Copy */
export function takeSamples(
  root: ParentNode,
  templates: readonly SampleTemplate[],
  types: FieldTypes,
): (request: ApiRequest) => void {
  const figures = [...root.querySelectorAll('[role="tabpanel"] figure')];
  const blocks = templates.map((template, index) => {
    const lines = [...(figures[index]?.querySelectorAll('.ec-line') ?? [])];
    return { template, figure: figures[index], lines: new Map(lines.map((line) => [textOf(line), line])) };
  });
  return (request) => {
    for (const { template, figure, lines } of blocks) {
      const code = writeSample(template, request, types);
      // A line that is as it was when the page was built has its colours.
      const shown = code.split('\n').map((text) => lines.get(text)?.cloneNode(true) ?? plainLine(text));
      figure?.querySelector('code')?.replaceChildren(...shown);
      // The button of the blocks keeps line breaks as this character.
      figure?.querySelector('[data-code]')?.setAttribute('data-code', code.replaceAll('\n', '\u007f'));
    }
  };
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
