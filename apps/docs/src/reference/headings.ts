/** A line of the list "On this page". */
interface Heading {
  readonly depth: number;
  readonly slug: string;
  readonly text: string;
}

/** The headings of rendered HTML that can be linked to, each by its link's words where it is a link itself. */
export function headingsIn(html: string): Heading[] {
  return [...html.matchAll(/<h([23])\b[^>]*\sid="([^"]+)"[^>]*>(.*?)<\/h\1>/gs)].map(
    ([, depth, slug = '', inside = '']) => {
      const [, linked = inside] = /<a\b[^>]*>(.*?)<\/a>/s.exec(inside) ?? [];
      return { depth: Number(depth), slug, text: plain(linked) };
    },
  );
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function plain(html: string): string {
  const text = html.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ');
  return text.replaceAll(/&(#?\w+);/g, (written, name: string) => entities[name] ?? written).trim();
}
