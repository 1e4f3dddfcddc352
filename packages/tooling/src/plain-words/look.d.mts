/** Returns each text in the tracked files of some folders that breaks a rule of docs/style.md, as `file:line "found" message: text`. */
export function faultsIn(places: readonly string[]): string[]
