export type BuildLog = (level: 'info' | 'warn' | 'error', message: string) => void

export type ArchiveVerdict =
  | { readonly ok: true; readonly unpackedBytes: number; readonly entries: number }
  | { readonly ok: false; readonly message: string }

/** Keeps uploaded archives. An archive is there whole or not at all. */
export interface BuildStore {
  readonly name: string
  /**
   * Takes an upload to its end, then makes it the build's archive in one step.
   * Throws PayloadTooLarge past `maxBytes`; a broken stream leaves nothing.
   */
  receive(buildId: string, body: AsyncIterable<Uint8Array>, options: { maxBytes: number }): Promise<{ bytes: number }>
  has(buildId: string): Promise<boolean>
  /** Checks the archive against every refusal of the contract (§4), streaming; the message names the entry. */
  inspect(buildId: string, options: { executablePath: string }, log: BuildLog): Promise<ArchiveVerdict>
  /** Unpacks an inspected archive into an empty folder of this machine, the executable made executable. */
  unpack(buildId: string, options: { executablePath: string; directory: string }): Promise<void>
  /** Removing what is gone is fine. */
  remove(buildId: string): Promise<void>
}

/** Thrown by `receive`. */
export class PayloadTooLarge extends Error {
  override readonly name = 'PayloadTooLarge'
}
