import { KEPT_LOGS_PAGE, type KeptLogEntry, type KeptLogs } from '@matchyard/core/ports'

/** Kept logs in memory. */
export class FakeKeptLogs implements KeptLogs {
  /** Texts by their names. */
  readonly texts = new Map<string, string>()

  async put(name: string, text: string): Promise<void> {
    this.texts.set(name, text)
  }

  async get(name: string): Promise<string | undefined> {
    return this.texts.get(name)
  }

  async list(after = ''): Promise<readonly KeptLogEntry[]> {
    const names = [...this.texts.keys()].filter((name) => name > after).sort()
    return names
      .slice(0, KEPT_LOGS_PAGE)
      .map((name) => ({ name, bytes: Buffer.byteLength(this.texts.get(name) ?? '') }))
  }

  async remove(name: string): Promise<void> {
    this.texts.delete(name)
  }
}
