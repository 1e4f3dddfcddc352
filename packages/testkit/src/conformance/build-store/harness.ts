import type { BuildStore } from '@matchyard/core/ports'

/** What the suite asks of whoever runs it. */
export interface BuildStoreHarness {
  /** A node: another one, on another machine as far as that goes, over the same archives. */
  node(): Promise<BuildStore>
  /** An empty folder of this machine. */
  folder(): Promise<string>
  /** Sends a body to the URL of a direct upload; answers the HTTP status. Asked for only where a store has such. */
  put(url: string, body: Uint8Array): Promise<number>
}

export interface BuildStoreCase {
  readonly name: string
  run(harness: BuildStoreHarness): Promise<void>
}
