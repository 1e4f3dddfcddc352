import type { BuildStore } from '@matchyard/core/ports'

/** Functions that the user of the suite provides. */
export interface BuildStoreHarness {
  /** Opens another node's store over the same archives, as if on another machine. */
  node(): Promise<BuildStore>
  /** Returns an empty folder of this machine. */
  folder(): Promise<string>
  /** Sends a body to the URL of a direct upload and returns the HTTP status. Only called for stores with direct uploads. */
  put(url: string, body: Uint8Array): Promise<number>
}

export interface BuildStoreCase {
  readonly name: string
  run(harness: BuildStoreHarness): Promise<void>
}
