export const ports: Readonly<Record<'docs' | 'sandbox' | 'relay', number>>;
export function helpFor(command: string, args: readonly string[]): string | undefined;
export function helpOf(command: 'start' | 'demo' | 'try' | 'test' | 'test:full'): string;
