import type { Commit } from '@matchyard/core/ports'

/**
 * JSON texts of a commit. They are made before the commit waits for the writer, so that their length is known and the
 * group's transaction is shorter. A lobby is usually written twice, as a row and as an event; its text is made once.
 */
export class CommitTexts {
  readonly #texts = new Map<object, string>()
  /** Number of characters of all texts. A text that is written twice counts twice. */
  readonly length: number

  constructor(commit: Commit) {
    let length = 0
    for (const write of commit.writes) if ('put' in write) length += this.of(write.put).length
    for (const { lobby } of commit.events) length += this.of(lobby).length
    for (const { payload } of commit.jobs) length += this.of(payload).length
    this.length = length
  }

  of(value: object): string {
    const text = this.#texts.get(value) ?? JSON.stringify(value)
    this.#texts.set(value, text)
    return text
  }
}
