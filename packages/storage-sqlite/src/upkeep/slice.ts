/** Runs one slice of a prune in a durable transaction of the writer. Resolves with the number of deleted rows. */
export type Slice = (run: () => number) => Promise<number>
