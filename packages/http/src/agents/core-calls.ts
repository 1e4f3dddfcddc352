import type { AgentFacts, Matchyard, ObservedBatch, WantedCall } from '@matchyard/core'

/** Reason for which the service ends the stream of an agent. */
export type StreamEnd = 'replaced' | 'revoked' | 'stopped'

/** Outcome of a batch: `foreign` is a batch of another session. */
export type Taken = 'heard' | 'repeated' | 'foreign'

export interface AgentCalls {
  connect(input: {
    machineId: string
    facts: AgentFacts
    send: (call: WantedCall) => boolean
    onEnd: (reason: StreamEnd) => void
  }): Promise<{ session: string; cut(): void }>
  hear(input: { machineId: string; batch: ObservedBatch }): Taken | 'elsewhere'
  holderOf(machineId: string): Promise<string | undefined>
  needsBuild(input: { machineId: string; buildId: string }): Promise<boolean>
}

export const agentsOf = (matchyard: Matchyard): AgentCalls => (matchyard as unknown as { agents: AgentCalls }).agents
