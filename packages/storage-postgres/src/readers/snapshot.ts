/** The first transaction that the snapshot `xmin:xmax:list` could not see. */
export const newestOf = (snapshot: string): number => Number(snapshot.split(':')[1])
