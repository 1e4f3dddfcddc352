interface HandlerCall {
  /** Key of the consumer. */
  readonly consumer: string
  readonly ended: Promise<void>
  /** Whether the call is past its deadline, so that its message waits to be handled again. */
  isOverdue: boolean
}

/**
 * Calls of handlers of consumers that have not ended on this node, by backlog. A handler that ignores its deadline still runs after the
 * deadline. Until it ends, this node starts no other call for the same consumer and match, and the call counts among those of its consumer.
 */
export class HandlerCalls {
  private readonly calls = new Map<string, HandlerCall>()

  /** `freed` is called when an overdue call ends. */
  constructor(private readonly freed: () => void) {}

  /** Number of calls that have not ended. */
  get running(): number {
    return this.calls.size
  }

  isRunning(backlogId: string): boolean {
    return this.calls.has(backlogId)
  }

  /** Returns the number of overdue calls of each consumer that has such calls, by the key of the consumer. */
  overdue(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { consumer, isOverdue } of this.calls.values())
      if (isOverdue) counts.set(consumer, (counts.get(consumer) ?? 0) + 1)
    return counts
  }

  /** Adds a call that has just started. Returns a function that marks the call as overdue. */
  add(consumer: string, backlogId: string, call: Promise<unknown>): () => void {
    const end = () => {
      this.calls.delete(backlogId)
      if (added.isOverdue) this.freed()
    }
    const added: HandlerCall = { consumer, ended: call.then(end, end), isOverdue: false }
    this.calls.set(backlogId, added)
    return () => {
      added.isOverdue = true
    }
  }

  /** Resolves when no call runs. */
  async ended(): Promise<void> {
    while (this.calls.size > 0) await Promise.all([...this.calls.values()].map(({ ended }) => ended))
  }
}
