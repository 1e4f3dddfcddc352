import type { ConsumeHandler } from '../consumer/message'
import { consumerKey } from '../project/consumer'

/** Handlers of the consumers that run on this node. */
export class NodeConsumers {
  private readonly handlers = new Map<string, ConsumeHandler>()
  private changed: () => void = () => {}

  /** Keys of the consumers whose handlers run on this node. */
  get keys(): readonly string[] {
    return [...this.handlers.keys()]
  }

  /** Sets the function that is called when a handler is added. */
  whenAdded(changed: () => void): void {
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
}
