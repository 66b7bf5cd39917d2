import type { Connection } from '../playground/connection/fields.ts';
import { highlightCode } from '../playground/evidence/highlight.ts';
import { literal, writeValue } from '../playground/evidence/write-value.ts';

/** A request of Run: what its samples begin with, and what it was edited to. */
export interface EditedRequest {
  readonly path: string;
  readonly json?: string;
  readonly parts: readonly string[];
}

/** Lets the samples of the page show what is in the form of Run. @returns call it after each change */
export function followSamples(run: HTMLElement): (connection: Partial<Connection>) => void {
  const samples = [...(run.closest('.samples')?.querySelectorAll<HTMLElement>('pre > code') ?? [])].filter(
    (code) => !run.contains(code),
  );
  const originals = samples.map((code) => ({ text: codeOf(code), copy: copyButtonOf(code) }));
  const first = readForm(run);
  return (connection) => {
    const now = readForm(run);
    samples.forEach((code, index) => {
      const { text = '', copy } = originals[index] ?? {};
      const shown = followSample(text, first, now, connection);
      code.replaceChildren(highlightCode(shown));
      // The edge was kept by the lines that this replaces.
      code.style.paddingInline = 'var(--ec-codePadInl)';
      // Starlight copies what this attribute holds.
      if (copy) copy.dataset.code = shown.replaceAll('\n', '\u007f');
    });
  };
}

function codeOf(code: HTMLElement): string {
  const lines = [...code.querySelectorAll('.ec-line')];
  return lines.map((line) => line.textContent.replace(/\n$/, '')).join('\n');
}

function copyButtonOf(code: HTMLElement): HTMLElement | null {
  return code.closest('figure')?.querySelector('[data-code]') ?? null;
}

function readForm(run: HTMLElement): EditedRequest {
  const json = run.querySelector<HTMLTextAreaElement>('[data-json]')?.value;
  return {
    path: run.querySelector<HTMLInputElement>('[data-path]')?.value ?? '',
    ...(json === undefined ? {} : { json }),
    parts: [...run.querySelectorAll<HTMLInputElement>('[data-part]:not([type="file"])')].map(
      ({ value }) => value,
    ),
  };
}

/** A sample for a request that was edited, whichever of the languages it is in. */
export function followSample(
  code: string,
  first: EditedRequest,
  now: EditedRequest,
  { baseUrl, apiKey }: Partial<Connection>,
): string {
  let text = code;
  if (now.json !== undefined && now.json !== first.json) text = replaceBody(text, first.json ?? '', now.json);
  const [before, after] = [first.path.split(/(?=[/?])/), now.path.split(/(?=[/?])/)];
  before.forEach((piece, index) => {
    const [old, fresh] = [piece.slice(1), (after[index] ?? '').slice(1)];
    if (old !== '' && fresh !== '' && old !== fresh) text = text.replaceAll(old, () => fresh);
  });
  first.parts.forEach((part, index) => {
    if (part !== '') text = text.replaceAll(part, () => now.parts[index] ?? '');
  });
  if (baseUrl !== undefined)
    text = text.replaceAll(/\$SPEECH_BASE_URL|\{os\.environ\['SPEECH_BASE_URL'\]\}/g, () => baseUrl);
  if (apiKey !== undefined)
    text = text.replaceAll(/\$SPEECH_API_KEY|\{os\.environ\['SPEECH_API_KEY'\]\}/g, () => apiKey);
  const options = Object.entries({ apiKey, baseUrl }).filter(([, value]) => value !== undefined);
  const written = options.map(([name, value]) => `${name}: ${literal(value ?? '')}`).join(', ');
  return options.length === 0
    ? text
    : text.replace(/createSpeechClient\(\);?( \/\/.*)?/, () => `createSpeechClient({ ${written} });`);
}

/** Writes another body where the code has the first one: as JSON, or as TypeScript does. */
function replaceBody(code: string, first: string, now: string): string {
  const [from, to] = [parse(first), parse(now)];
  if (from === undefined || to === undefined) return code;
  for (const { 0: found, index } of code.matchAll(/\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g)) {
    const isJson = isSame(parse(found), from);
    const asJson = found.replaceAll(/([{,]\s*)(\w+):/g, '$1"$2":').replaceAll("'", '"');
    if (!isJson && !isSame(parse(asJson), from)) continue;
    const written = isJson ? JSON.stringify(to, null, 1).replaceAll(/\n\s*/g, ' ') : writeValue(to);
    return code.slice(0, index) + written + code.slice(index + found.length);
  }
  return code;
}

function isSame(left: unknown, right: unknown): boolean {
  return left !== undefined && JSON.stringify(left) === JSON.stringify(right);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
