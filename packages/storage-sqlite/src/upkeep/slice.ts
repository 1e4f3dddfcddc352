/** Runs one slice in a durable transaction of the group; resolves with the number of deleted rows. */
export type Slice = (run: () => number) => Promise<number>
