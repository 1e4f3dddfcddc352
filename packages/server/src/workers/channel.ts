import type { Timers } from '@matchyard/core/ports'

/** One end of the message channel between two processes. */
export interface Wire {
  /**
   * Sends a message. A failure may stay unnoticed, because the sender of a question notices a missing answer anyway.
   */
  send(message: object): void
  listen(listener: (message: unknown) => void): void
}

/** Questions by name. Each has an input and an answer, which are both JSON. */
export type Questions = { readonly [name: string]: { readonly given: unknown; readonly answer: unknown } }

/** Handlers of the questions from the other process. If a handler throws, the process that asked gets the error. */
export type Answers<Q extends Questions> = {
  readonly [Name in keyof Q]: (given: Q[Name]['given']) => Promise<Q[Name]['answer']>
}

interface Asked {
  readonly asked: number
  readonly name: string
  readonly given?: unknown
}

interface Answered {
  readonly answered: number
  readonly answer?: unknown
  readonly error?: string
}

/** Thrown when no answer arrived: the other process has ended, or is stalled. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/**
 * Questions and answers between two processes, in both directions. The other process answers `Theirs`; this process
 * answers `Ours`.
 */
export class Channel<Theirs extends Questions, Ours extends Questions> {
  private readonly waiting = new Map<number, (message: Answered | undefined) => void>()
  private count = 0

  constructor(
    private readonly wire: Wire,
    private readonly timers: Timers,
    private readonly answers: Answers<Ours>,
  ) {
    wire.listen((message) => this.hear(message))
  }

  /**
   * Asks the other process. Rejects with NoAnswer after `withinMs` milliseconds. If the other process throws an error,
   * rejects with its message.
   */
  async ask<Name extends keyof Theirs & string>(
    name: Name,
    given: Theirs[Name]['given'],
    withinMs: number,
  ): Promise<Theirs[Name]['answer']> {
    const asked = ++this.count
    const message = await new Promise<Answered | undefined>((resolve) => {
      const cancel = this.timers.after(withinMs, () => this.waiting.get(asked)?.(undefined))
      this.waiting.set(asked, (heard) => {
        cancel()
        this.waiting.delete(asked)
        resolve(heard)
      })
      this.wire.send({ asked, name, given } satisfies Asked)
    })
    if (message === undefined) throw new NoAnswer(`nobody answered ${name}`)
    if (message.error !== undefined) throw new Error(message.error)
    return message.answer
  }

  /** Rejects all waiting questions, because the other process has ended. */
  close(): void {
    for (const heard of [...this.waiting.values()]) heard(undefined)
  }

  private hear(message: unknown): void {
    if (isAnswered(message)) this.waiting.get(message.answered)?.(message)
    else if (isAsked(message)) void this.reply(message)
  }

  private async reply({ asked, name, given }: Asked): Promise<void> {
    try {
      const answer = await this.answers[name]?.(given)
      this.wire.send({ answered: asked, answer } satisfies Answered)
    } catch (error) {
      const sentence = error instanceof Error ? error.message : String(error)
      this.wire.send({ answered: asked, error: sentence } satisfies Answered)
    }
  }
}

const isObject = (message: unknown): message is object => typeof message === 'object' && message !== null
const isAsked = (message: unknown): message is Asked => isObject(message) && 'asked' in message
const isAnswered = (message: unknown): message is Answered => isObject(message) && 'answered' in message
