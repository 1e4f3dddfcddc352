/**
 * Faults of ports (adapter interfaces). A command arms a fault. The fault takes effect once, at the next call that it
 * fits, and is then removed.
 */
export const FAULTS = {
  'crash-before-commit': 'the node dies before its next commit is applied',
  'crash-after-commit': 'the node dies after its next commit is applied, before it is told so',
  'outcome-unknown-applied': 'the next commit is applied, and the connection is lost before the answer',
  'outcome-unknown-refused': 'the next commit is lost together with the connection',
  conflict: 'the next commit is told that it lost a race',
  'storage-unavailable': 'the next call of the storage fails',
  'crash-anywhere': 'the node dies at its next call of any port',
  'stands-still': 'the node stands still at its next call of the storage, past its claims and leases, and goes on',
  'launch-answer-lost': 'the next launch spawns its process and then fails',
  'launch-refused': 'the next launch fails; another attempt may work',
  'launch-final': 'the next launch fails for good',
  'address-in-use': 'the next launch meets a port in use',
  'orchestrator-down': 'the next call of the orchestrator fails',
  'exits-at-once': 'the next process ends with code 1 as soon as it runs',
  'never-ready': 'the next process never becomes ready',
  'ignores-sigterm': 'the next process goes on until it is killed',
  'storage-slow': 'the next call of the storage takes seconds, before its effect or after it',
  'storage-silent': 'the storage falls silent for seconds: its calls fail at their deadline, with an effect or without',
  'log-refuses': 'every line that the node logs throws, until the node dies',
  'listener-throws': "an embedder's listener throws at the next event",
  'warm-one-ends': 'a server that waits for its launch ends',
  'attempt-damaged': 'the notes on a process cannot be read: it is ended and told as lost',
  'attempt-overlooked': 'the notes on a process are gone: looks miss it for seconds, and it goes on',
  'agent-cut': 'the stream of an agent ends, and the agent opens the next one at once or seconds later',
  'agent-half-open': 'calls to an agent and its reports vanish for seconds, until its stream ends',
  'agent-repeats': 'the next message between the service and an agent arrives twice',
} as const

export type FaultKind = keyof typeof FAULTS
const ALL_KINDS = Object.keys(FAULTS) as readonly FaultKind[]
/** Faults of the link between the service and an agent, for worlds with agents. */
export const AGENT_FAULTS: readonly FaultKind[] = ALL_KINDS.filter((kind) => kind.startsWith('agent-'))
/** Faults of worlds without agents. */
export const FAULT_KINDS: readonly FaultKind[] = ALL_KINDS.filter((kind) => !AGENT_FAULTS.includes(kind))

/** The armed faults of each node. */
export class Faults {
  private armed: { readonly kind: FaultKind; readonly nodeId: string }[] = []
  private readonly silentUntil = new Map<string, number>()
  private endedAt: number | undefined
  private isBegun = false

  /** Whether a fault was armed before. */
  get hasBegun(): boolean {
    return this.isBegun
  }

  arm(kind: FaultKind, nodeId: string): void {
    this.isBegun = true
    this.armed.push({ kind, nodeId })
  }

  /** Whether a fault of this kind is armed for the node. If so, the fault is removed. */
  strikes(kind: FaultKind, nodeId: string): boolean {
    const index = this.armed.findIndex((fault) => fault.kind === kind && fault.nodeId === nodeId)
    if (index === -1) return false
    this.armed.splice(index, 1)
    return true
  }

  /** Makes the storage give no answers to a node until a time. */
  silence(nodeId: string, until: number): void {
    this.silentUntil.set(nodeId, until)
  }

  isSilent(nodeId: string, now: number): boolean {
    return now < (this.silentUntil.get(nodeId) ?? Number.NEGATIVE_INFINITY)
  }

  /** Time at which all faults ended; undefined before. */
  get overSince(): number | undefined {
    return this.endedAt
  }

  /** Ends all faults. */
  end(now: number): void {
    this.endedAt = now
    this.armed = []
    this.silentUntil.clear()
  }
}

/** Failure of a port other than the storage. The simulation tests that the core handles it. */
export class PortFailure extends Error {
  override readonly name = 'PortFailure'
}
