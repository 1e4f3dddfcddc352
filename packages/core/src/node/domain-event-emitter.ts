import { EventEmitter } from 'eventemitter3'
import { type Logger, quietly } from '../ports/logger'
import type { DomainEvent, DomainEventMap } from './domain-events'

type Name = EventEmitter.EventNames<DomainEventMap>
type Listener<T extends Name> = EventEmitter.EventListener<DomainEventMap, T>

/**
 * Emits domain events to the embedding application after each commit. An error or a rejection of a listener is logged. It affects neither
 * the other listeners nor the caller, because the commit is already applied.
 */
export class DomainEventEmitter extends EventEmitter<DomainEventMap> {
  /**
   * Wrapper of each listener that catches its errors, by the listener itself. `off` needs the wrapper of the listener that the application
   * passed to `on`.
   */
  private readonly guarded = new WeakMap<object, object>()

  constructor(private readonly logger: Logger) {
    super()
  }

  override on<T extends Name>(event: T, listener: Listener<T>, context?: unknown): this {
    return super.on(event, this.guard(listener), context as never)
  }

  override once<T extends Name>(event: T, listener: Listener<T>, context?: unknown): this {
    return super.once(event, this.guard(listener), context as never)
  }

  override addListener<T extends Name>(event: T, listener: Listener<T>, context?: unknown): this {
    return this.on(event, listener, context)
  }

  override off<T extends Name>(event: T, listener?: Listener<T>, context?: unknown, once?: boolean): this {
    const known = listener && (this.guarded.get(listener) as Listener<T> | undefined)
    return super.off(event, known ?? listener, context as never, once)
  }

  override removeListener<T extends Name>(event: T, listener?: Listener<T>, context?: unknown, once?: boolean): this {
    return this.off(event, listener, context, once)
  }

  private guard<T extends Name>(listener: Listener<T>): Listener<T> {
    const { guarded, logger } = this
    const known = guarded.get(listener)
    if (known !== undefined) return known as Listener<T>
    const alone = function (this: unknown, event: DomainEvent): void {
      quietly(
        () => Reflect.apply(listener, this, [event]),
        (error) => logger.error('a listener threw', { event: event.type, error: String(error) }),
      )
    } as Listener<T>
    guarded.set(listener, alone)
    return alone
  }
}
