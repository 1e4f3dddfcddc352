/** Returns the first transaction that is not visible in the snapshot `xmin:xmax:list`. */
export const newestOf = (snapshot: string): number => Number(snapshot.split(':')[1])
