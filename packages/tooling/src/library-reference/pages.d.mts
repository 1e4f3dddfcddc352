export const ENTRY_POINTS: readonly string[]
export function writeReference(folder: string): Promise<string[]>
