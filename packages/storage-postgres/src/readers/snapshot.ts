/**
 * Returns the number of the first transaction that is not visible in a snapshot, which has the form `xmin:xmax:list`.
 */
export const newestOf = (snapshot: string): number => Number(snapshot.split(':')[1])
