import type { BuildStore } from '@matchyard/core/ports'

/** Functions that the author of a build store provides for the conformance suite. */
export interface BuildStoreHarness {
  /** Opens the store of another node on the same archives, as if the node were on another machine. */
  node(): Promise<BuildStore>
  /** Returns an empty folder of this machine. */
  folder(): Promise<string>
  /**
   * Sends a body to the URL of a direct upload and returns the HTTP status. The suite calls it only for stores with
   * direct uploads.
   */
  put(url: string, body: Uint8Array): Promise<number>
}

export interface BuildStoreCase {
  readonly name: string
  run(harness: BuildStoreHarness): Promise<void>
}
