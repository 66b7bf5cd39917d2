export function holdLock(): Promise<() => void>;
