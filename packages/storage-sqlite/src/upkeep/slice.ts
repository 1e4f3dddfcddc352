/** Runs one slice in a durable transaction of the group and says how many rows went. */
export type Slice = (run: () => number) => Promise<number>
