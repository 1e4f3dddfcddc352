import type { ConsumeHandler } from '../consumer/message'
import { consumerKey } from '../project/consumer'
import { HandlerCalls } from './handler-calls'

/** Handlers of the consumers that run on this node. */
export class NodeConsumers {
  private readonly handlers = new Map<string, ConsumeHandler>()
  private changed: () => void = () => {}
  /** Calls of the handlers that have not ended. */
  readonly calls = new HandlerCalls(() => this.changed())

  /** Keys of the consumers whose handlers run on this node. */
  get keys(): readonly string[] {
    return [...this.handlers.keys()]
  }

  /** Sets the function that is called when a handler is added, and when an overdue call of a handler ends. */
  whenFree(changed: () => void): void {
    this.changed = changed
  }

  handlerOf(projectId: string, name: string): ConsumeHandler | undefined {
    return this.handlers.get(consumerKey(projectId, name))
  }

  /** Throws TypeError when this node already has a handler of the consumer. */
  requireFree(projectId: string, name: string): void {
    if (this.handlers.has(consumerKey(projectId, name))) {
      throw new TypeError(`consume: this process already has a handler of ${JSON.stringify(name)}; stop it first`)
    }
  }

  /** Adds a handler. Returns a function that removes it. Throws TypeError when this node already has a handler of the consumer. */
  add(projectId: string, name: string, handler: ConsumeHandler): () => void {
    this.requireFree(projectId, name)
    const key = consumerKey(projectId, name)
    this.handlers.set(key, handler)
    this.changed()
    return () => {
      if (this.handlers.get(key) === handler) this.handlers.delete(key)
    }
  }

  /** Starts no more calls on this node. Resolves when no call runs, also when no overdue call runs. */
  async stop(): Promise<void> {
    this.handlers.clear()
    await this.calls.ended()
  }
}
