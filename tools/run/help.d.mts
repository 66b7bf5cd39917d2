export const ports: Readonly<Record<'docs' | 'sandbox' | 'relay' | 'registry', number>>;
export function helpFor(command: string, args: readonly string[]): string | undefined;
export function helpOf(command: 'start' | 'demo' | 'try' | 'registry' | 'test' | 'test:full'): string;
