import transcripts from '@speech-api/spec/transcripts.json';
import type { APIRoute } from 'astro';

/** The recorded streams of the specification, a file each, as the stream lab replays them. */
export function getStaticPaths() {
  return Object.keys(transcripts).map((name) => ({ params: { name } }));
}

export const GET: APIRoute<Record<string, never>, { name: string }> = ({ params }) => {
  const lines: readonly unknown[] = (transcripts as Record<string, readonly unknown[]>)[params.name] ?? [];
  return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
    headers: { 'content-type': 'application/jsonl' },
  });
};
