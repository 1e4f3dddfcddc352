import type { WantedCall } from '@matchyard/core'
import type { Orchestrator } from '@matchyard/core/ports'

/**
 * Checks that an agent carries out the launches, stops and removals of each instance in the order in which it heard them for the first time,
 * each at most once and one at a time. Calls that the agent drops are allowed, because the service makes them again.
 */
export class CallOrder {
  /** By instance: the calls that the agent heard and did not begin, oldest first. */
  private readonly heard = new Map<string, string[]>()
  private readonly numbers = new Set<string>()
  private readonly running = new Set<string>()

  constructor(private readonly misuse: string[]) {}

  /** Notes a call that arrives at the agent, also when it arrives again. */
  hear(session: string, call: WantedCall): void {
    const number = `${session} ${call.number}`
    if (this.numbers.has(number)) return
    this.numbers.add(number)
    if (call.call === 'launch') this.expect(call.spec.instanceId, `launch #${call.spec.attempt}`)
    else if (call.call === 'stop' || call.call === 'forget') this.expect(call.instanceId, call.call)
  }

  /** Returns the orchestrator of the agent, with the checks. */
  checked(orchestrator: Orchestrator): Orchestrator {
    const { launch, stop, forget } = orchestrator
    return {
      ...orchestrator,
      launch: (spec) => this.carry(spec.instanceId, `launch #${spec.attempt}`, () => launch(spec)),
      stop: (instanceId, options) => this.carry(instanceId, 'stop', () => stop(instanceId, options)),
      forget: (instanceId, where) => this.carry(instanceId, 'forget', () => forget(instanceId, where)),
    }
  }

  private expect(instanceId: string, name: string): void {
    this.heard.set(instanceId, [...(this.heard.get(instanceId) ?? []), name])
  }

  private async carry<T>(instanceId: string, name: string, work: () => Promise<T>): Promise<T> {
    const waiting = this.heard.get(instanceId) ?? []
    const place = waiting.indexOf(name)
    if (place < 0) this.misuse.push(`the agent carried out ${name} of ${instanceId} twice, or out of order`)
    if (this.running.has(instanceId)) this.misuse.push(`the agent carried out two calls of ${instanceId} at once`)
    this.heard.set(instanceId, waiting.slice(place + 1))
    this.running.add(instanceId)
    try {
      return await work()
    } finally {
      this.running.delete(instanceId)
    }
  }
}
